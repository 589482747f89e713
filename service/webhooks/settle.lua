-- Note what became of a webhook that was taken, and when it is tried again.
-- KEYS  the lane it was taken from, quick, slow, waiting, its state, its attempts, disabled
-- ARGV  1 id   2 group   3 until when it was taken   4 how far it got in the notices
--       5 ping that is done ("" = none)   6 which of KEYS has it from now on
--       7 when it is tried again (ms, "" = if there is more)   8 not before (ms)
--       9 why it is disabled ("" = it is not)   10 attempt ("" = none)
--       11 how many attempts are kept  12 how often its player had been told something when the notices
--       were looked at  13 when the next was written there that is to be sent (ms, "" = there is none),
--       then the state: name, value, …
-- Answers 0, and does nothing, if others have taken it since, or it is gone.
local id, group, due_at = ARGV[1], ARGV[2], ARGV[7]
if tonumber(redis.call("ZSCORE", queue(KEYS[1], group), id) or -1) ~= tonumber(ARGV[3]) then return 0 end
redis.call("ZREM", queue(KEYS[2], group), id)
redis.call("ZREM", queue(KEYS[3], group), id)
redis.call("HSET", KEYS[5], "cursor", ARGV[4], unpack(ARGV, 14))
if ARGV[5] ~= "" and redis.call("HGET", KEYS[5], "ping") == ARGV[5] then redis.call("HDEL", KEYS[5], "ping") end
if ARGV[10] ~= "" then
  redis.call("LPUSH", KEYS[6], ARGV[10])
  redis.call("LTRIM", KEYS[6], 0, ARGV[11] - 1)
end
if ARGV[9] ~= "" then redis.call("HSET", KEYS[7], id, ARGV[9]) end
if redis.call("HEXISTS", KEYS[7], id) == 1 then
  redis.call("ZREM", KEYS[4], id)
  return 1
end
local pinged = redis.call("HEXISTS", KEYS[5], "ping") == 1
if due_at == "" or pinged then
  local told_since = redis.call("HGET", KEYS[5], "told") ~= (ARGV[12] ~= "" and ARGV[12])
  if ARGV[13] == "" and not told_since and not pinged then
    redis.call("ZREM", KEYS[4], id)
    return 1
  end
  if ARGV[13] ~= "" then redis.call("ZADD", KEYS[4], ARGV[13], id) end
  due_at = ARGV[8]
end
put(KEYS[tonumber(ARGV[6])], group, id, tonumber(due_at))
return 1
