-- Store the outcome of a webhook's try, and schedule the next one.
-- KEYS  the lane from which it was taken, quick, slow, waiting, its state, its attempts, disabled, what it
--       sends once more
-- ARGV  1 id   2 group   3 until when it was taken   4 its new place in the notices
--       5 ping that was sent ("" = none)   6 index in KEYS of its next lane
--       7 time of the next try (ms, "" = only if there is more to send)   8 earliest time of a try (ms)
--       9 reason why it is disabled ("" = it is not)   10 attempt ("" = none)
--       11 maximum number of kept attempts   12 its "told" count when the notices were read
--       13 time of the next notice to send (ms, "" = none)
--       14 what was sent once more ("" = nothing), then the state: name, value, …
-- Answers 0, and does nothing, if another worker has taken it since, or it was removed.
local id, group, due_at = ARGV[1], ARGV[2], ARGV[7]
if tonumber(redis.call("ZSCORE", queue(KEYS[1], group), id) or -1) ~= tonumber(ARGV[3]) then return 0 end
redis.call("ZREM", queue(KEYS[2], group), id)
redis.call("ZREM", queue(KEYS[3], group), id)
redis.call("HSET", KEYS[5], "cursor", ARGV[4], unpack(ARGV, 15))
if ARGV[5] ~= "" and redis.call("HGET", KEYS[5], "ping") == ARGV[5] then redis.call("HDEL", KEYS[5], "ping") end
if ARGV[14] ~= "" and redis.call("LINDEX", KEYS[8], 0) == ARGV[14] then redis.call("LPOP", KEYS[8]) end
if ARGV[10] ~= "" then
  redis.call("LPUSH", KEYS[6], ARGV[10])
  redis.call("LTRIM", KEYS[6], 0, ARGV[11] - 1)
end
if ARGV[9] ~= "" then redis.call("HSET", KEYS[7], id, ARGV[9]) end
if redis.call("HEXISTS", KEYS[7], id) == 1 then
  redis.call("ZREM", KEYS[4], id)
  return 1
end
local pinged = redis.call("HEXISTS", KEYS[5], "ping") == 1 or redis.call("EXISTS", KEYS[8]) == 1
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
