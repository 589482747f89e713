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

local kept = redis.pcall("XRANGE", KEYS[1], "-", "+", "COUNT", 1)
local first = not kept.err and kept[1] -- or something else is in its place
local listening = first and first[2][2] == "listening" and tonumber(string.match(first[1], "^%d+")) or 0

-- From when on (ms) a notice of what happened at this time may have been written.
local function since(at) return math.max(at > now and now - FALLEN or at - ARGV[2], 0) end

local oldest = now
for i = 3, #ARGV, 3 do oldest = math.min(oldest, since(tonumber(ARGV[i]))) end
local written = {} -- when each notice was written last: read once, however much there is to tell
if first then
  for _, known in ipairs(redis.call("XRANGE", KEYS[1], string.format("%.0f", oldest), "+")) do
    written[known[2][2] .. " " .. (known[2][4] or "")] = known[1]
  end
end

local answer = {}
for i = 3, #ARGV, 3 do
  local id, at, notice = "", tonumber(ARGV[i]), ARGV[i + 1] .. " " .. ARGV[i + 2]
  if first and at >= listening then
    id = written[notice]
    if not id or tonumber(string.match(id, "^%d+")) < since(at) then
      id = redis.call("XADD", KEYS[1], "MAXLEN", "~", 500, "*", "k", ARGV[i + 1], "b", ARGV[i + 2])
      written[notice] = id
    end
  end
  answer[#answer + 1] = id
end
return answer
