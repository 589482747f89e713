-- Set what is owed to a game, if it still ends at the event that this was derived from.
-- KEYS events, due, deadlines, lows
-- ARGV game id, last id, due ("" = none), deadline ("" = none), then of its clocks: member of lows, when
local newest = redis.call("XREVRANGE", KEYS[1], "+", "-", "COUNT", 1)[1]
if not newest or newest[1] ~= ARGV[2] then return 0 end
for i = 1, 2 do
  if ARGV[i + 2] == "" then redis.call("ZREM", KEYS[i + 1], ARGV[1])
  else redis.call("ZADD", KEYS[i + 1], ARGV[i + 2], ARGV[1]) end
end
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 5, #ARGV, 2 do -- of what was low before, its player may have been told
  if tonumber(ARGV[i + 1]) > now then redis.call("ZADD", KEYS[4], ARGV[i + 1], ARGV[i]) end
end
return 1
