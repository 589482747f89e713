-- Write notices to a player's stream, each once, if the player listens.
-- KEYS  the player's notices
-- ARGV  1 deadline of the write (ms)  2 tolerance of the times below (ms), then for each notice: time of
--       what happened (ms), kind, body
-- Answers the id of each notice, "" if it is not kept; nothing if the deadline is over.
-- If an equal notice was written after the time of what happened, it is the same notice and not written
-- again, even for another caller. A notice of something before the player listened is not kept.
local FALLEN = 10000 -- how far before now (ms) to look if the clock was set back since
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if now > tonumber(ARGV[1]) then return false end

local kept = redis.pcall("XRANGE", KEYS[1], "-", "+", "COUNT", 1)
local first = not kept.err and kept[1] -- an error: the key is no stream
local listening = first and first[2][2] == "listening" and tonumber(string.match(first[1], "^%d+")) or 0

-- The earliest time (ms) at which a notice of what happened at this time can have been written.
local function since(at) return math.max(at > now and now - FALLEN or at - ARGV[2], 0) end

local oldest = now
for i = 3, #ARGV, 3 do oldest = math.min(oldest, since(tonumber(ARGV[i]))) end
local written = {} -- id of each recent notice; one read serves all notices of this call
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
