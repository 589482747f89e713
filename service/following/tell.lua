-- Tell a player of something, once, if anybody listens.
-- KEYS  the player's notices
-- ARGV  1 until when this may be written (ms)  2 by how much what follows may be off (ms), then for each:
--       when it happened (ms), kind, body
-- Answers the id of each notice, "" for what is not kept; nothing, if it is too late.
-- An equal notice that was written since it happened is the same one, whoever tells it again. What had
-- happened before somebody listened is not kept.
local FALLEN = 10000 -- so long before now (ms) it may have been written, if this clock fell since it happened
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if now > tonumber(ARGV[1]) then return false end

local function find(since, kind, body)
  for _, known in ipairs(redis.call("XRANGE", KEYS[1], since, "+")) do
    if known[2][2] == kind and known[2][4] == body then return known[1] end
  end
end

local kept = redis.pcall("XRANGE", KEYS[1], "-", "+", "COUNT", 1)
local first = not kept.err and kept[1] -- or something else is in its place
local listening = first and first[2][2] == "listening" and tonumber(string.match(first[1], "^%d+")) or 0
local answer = {}
for i = 3, #ARGV, 3 do
  local id, since = "", tonumber(ARGV[i])
  if first and since >= listening then
    since = since > now and now - FALLEN or since - ARGV[2]
    id = find(string.format("%.0f", math.max(since, 0)), ARGV[i + 1], ARGV[i + 2])
      or redis.call("XADD", KEYS[1], "MAXLEN", "~", 500, "*", "k", ARGV[i + 1], "b", ARGV[i + 2])
  end
  answer[#answer + 1] = id
end
return answer
