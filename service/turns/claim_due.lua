-- Take the games of a shard that have waited too long, and put each off, so that only one asks.
-- KEYS due     ARGV overdue since (ms), how many at most, put off until (ms)
local overdue = redis.call("ZRANGEBYSCORE", KEYS[1], "-inf", ARGV[1], "LIMIT", 0, ARGV[2])
for _, game in ipairs(overdue) do redis.call("ZADD", KEYS[1], "XX", ARGV[3], game) end
return overdue
