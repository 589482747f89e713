-- Have a ping be sent to a webhook, and whatever waits be tried again, at once.
-- KEYS  its state, waiting, due, slow
-- ARGV  id, ping, now (ms)
redis.call("HSET", KEYS[1], "ping", ARGV[2], "attempts", 0)
redis.call("ZADD", KEYS[2], "NX", ARGV[3], ARGV[1])
local known = false
for _, lane in ipairs({KEYS[3], KEYS[4]}) do
  local at = tonumber(redis.call("ZSCORE", lane, ARGV[1]) or nil)
  if at then
    known = true
    if at % 1 == 0 then redis.call("ZADD", lane, ARGV[3], ARGV[1]) end -- or it is taken: who has it will see the ping
  end
end
if not known then redis.call("ZADD", KEYS[3], ARGV[3], ARGV[1]) end
