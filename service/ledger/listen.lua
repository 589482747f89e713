-- Keep a player's notices from now on, and return the id of the newest one.
-- KEYS  the player's notices
-- ARGV  for how long (ms, "" = for good)
if redis.call("EXISTS", KEYS[1]) == 0 then
  redis.call("XADD", KEYS[1], "*", "k", "listening", "b", "{}")
  if ARGV[1] ~= "" then redis.call("PEXPIRE", KEYS[1], ARGV[1]) end
end
if ARGV[1] == "" then redis.call("PERSIST", KEYS[1])
else redis.call("PEXPIRE", KEYS[1], ARGV[1], "GT") end
return redis.call("XREVRANGE", KEYS[1], "+", "-", "COUNT", 1)[1][1]
