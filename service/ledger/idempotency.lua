-- Do what a request asks for, unless it was done before: in one step, so that no crash lies between.
-- KEYS  what is kept of the answer, then all keys that the facts and the commands name
-- ARGV  1 what to keep  2 for how many seconds  3 how many facts, then for each: what it must be, how
--       many words its question has, and these; then for each command: how many words, and these
-- Answers what is kept: of an earlier request, if there was one; "" if a fact is another by now.
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
