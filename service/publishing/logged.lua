-- Note what the public log has of ids of a shard; only the leader may.
-- KEYS  1 entries  2 followers' places     ARGV  1 field of the newest leader's token  2 token of the lead,
--       then for each id: the id, its entry ("" = it has none)
-- Answers 1; nothing if another process has led since.
if tonumber(redis.call("HGET", KEYS[2], ARGV[1]) or 0) > tonumber(ARGV[2]) then return false end
for i = 3, #ARGV, 2 do
  if ARGV[i + 1] == "" then redis.call("HDEL", KEYS[1], ARGV[i]) else redis.call("HSET", KEYS[1], ARGV[i], ARGV[i + 1]) end
end
return 1
