-- Count something unfinished in several quotas, or return the number of a quota that is used up.
-- KEYS  a sorted set of unfinished members for each quota
-- ARGV  1 member  2 now (ms)  3 when the sets expire (ms from now)  4.. the quota of each set
for i, key in ipairs(KEYS) do
  if not redis.call("ZSCORE", key, ARGV[1]) and redis.call("ZCARD", key) >= tonumber(ARGV[i + 3]) then
    return i
  end
end
for _, key in ipairs(KEYS) do
  redis.call("ZADD", key, "NX", ARGV[2], ARGV[1])
  redis.call("PEXPIRE", key, ARGV[3])
end
return 0
