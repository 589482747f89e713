-- Have a webhook, which a ping waits for, be tried at once.
-- KEYS  waiting, due, slow
-- ARGV  id, now (ms)
redis.call("ZADD", KEYS[1], "NX", ARGV[2], ARGV[1])
local known = false
for _, lane in ipairs({KEYS[2], KEYS[3]}) do
  local at = redis.call("ZSCORE", lane, ARGV[1])
  if at then
    known = true -- with half a millisecond it is taken, and who has it will see the ping
    if at % 1 == 0 then redis.call("ZADD", lane, ARGV[2], ARGV[1]) end
  end
end
if not known then redis.call("ZADD", KEYS[2], ARGV[2], ARGV[1]) end
