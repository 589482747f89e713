-- Set what is owed to a game, if it still ends at the event that this was derived from.
-- KEYS events, due, deadlines     ARGV game id, last id, due ("" = none), deadline ("" = none)
local newest = redis.call("XREVRANGE", KEYS[1], "+", "-", "COUNT", 1)[1]
if not newest or newest[1] ~= ARGV[2] then return 0 end
for i = 1, 2 do
  if ARGV[i + 2] == "" then redis.call("ZREM", KEYS[i + 1], ARGV[1])
  else redis.call("ZADD", KEYS[i + 1], ARGV[i + 2], ARGV[1]) end
end
return 1
