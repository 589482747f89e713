-- Note what became of a webhook that was taken, and when it is tried again.
-- KEYS  the lane it was taken from, due, slow, waiting, its state, its attempts, the player's notices,
--       disabled
-- ARGV  1 id   2 until when it was taken   3 how far it got in the notices   4 ping that is done ("" = none)
--       5 which of KEYS has it from now on   6 when it is tried again (ms, "" = if there is more)
--       7 not before (ms)   8 why it is disabled ("" = it is not)   9 attempt ("" = none)
--       10 how many attempts are kept, then the state: name, value, …
-- Answers 0, and does nothing, if others have taken it since, or it is gone.
local id, due_at = ARGV[1], ARGV[6]
if tonumber(redis.call("ZSCORE", KEYS[1], id) or -1) ~= tonumber(ARGV[2]) then return 0 end
redis.call("ZREM", KEYS[2], id)
redis.call("ZREM", KEYS[3], id)
redis.call("HSET", KEYS[5], "cursor", ARGV[3], unpack(ARGV, 11))
if ARGV[4] ~= "" and redis.call("HGET", KEYS[5], "ping") == ARGV[4] then redis.call("HDEL", KEYS[5], "ping") end
if ARGV[9] ~= "" then
  redis.call("LPUSH", KEYS[6], ARGV[9])
  redis.call("LTRIM", KEYS[6], 0, ARGV[10] - 1)
end
if ARGV[8] ~= "" then redis.call("HSET", KEYS[8], id, ARGV[8]) end
if redis.call("HEXISTS", KEYS[8], id) == 1 then
  redis.call("ZREM", KEYS[4], id)
  return 1
end
local pinged = redis.call("HEXISTS", KEYS[5], "ping") == 1
if due_at == "" or pinged then
  local more = redis.call("XRANGE", KEYS[7], "(" .. ARGV[3], "+", "COUNT", 1)[1]
  if not more and not pinged then
    redis.call("ZREM", KEYS[4], id)
    return 1
  end
  if more then redis.call("ZADD", KEYS[4], string.match(more[1], "^%d+"), id) end
  due_at = ARGV[7]
end
redis.call("ZADD", KEYS[tonumber(ARGV[5])], due_at, id)
return 1
