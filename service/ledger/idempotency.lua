-- Execute a request's commands and keep its answer, unless it was done before. One script does both, so
-- that no crash can come between them.
-- KEYS  the kept answer, then all keys of the facts and the commands
-- ARGV  1 the answer to keep  2 for how many seconds  3 number of facts, then for each fact: the expected
--       value, number of words of its query, the words; then for each command: number of words, the words
-- Answers the kept answer, which may be an earlier request's; "" if a fact has another value.
local known = redis.call("GET", KEYS[1])
if known then return known end

local at = 4
local function ask()
  local words = tonumber(ARGV[at])
  local answer = redis.call(unpack(ARGV, at + 1, at + words))
  at = at + words + 1
  return answer
end

for _ = 1, ARGV[3] do
  at = at + 1
  local due = ARGV[at - 1]
  local answer = ask()
  if type(answer) == "table" then answer = table.concat(answer, " ") end
  if tostring(answer or "") ~= due then return "" end
end
redis.call("SET", KEYS[1], ARGV[1], "EX", ARGV[2])
while at <= #ARGV do ask() end
return ARGV[1]
