-- Set the obligations of a game, if its newest event is still the one from which they were derived.
-- KEYS events, due, deadlines, lows
-- ARGV game id, last id, due ("" = none), deadline ("" = none), then for each clock: member of lows, time
local newest = redis.call("XREVRANGE", KEYS[1], "+", "-", "COUNT", 1)[1]
if not newest or newest[1] ~= ARGV[2] then return 0 end
for i = 1, 2 do
  if ARGV[i + 2] == "" then redis.call("ZREM", KEYS[i + 1], ARGV[1])
  else redis.call("ZADD", KEYS[i + 1], ARGV[i + 2], ARGV[1]) end
end
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 5, #ARGV, 2 do -- a player of a clock that is low already may have had the notice
  if tonumber(ARGV[i + 1]) > now then redis.call("ZADD", KEYS[4], ARGV[i + 1], ARGV[i]) end
end
return 1
