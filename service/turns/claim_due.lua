-- Return the overdue games of a shard, and postpone each, so that only one caller gets it.
-- KEYS due     ARGV overdue since (ms), maximum number, new time (ms)
local overdue = redis.call("ZRANGEBYSCORE", KEYS[1], "-inf", ARGV[1], "LIMIT", 0, ARGV[2])
for _, game in ipairs(overdue) do redis.call("ZADD", KEYS[1], "XX", ARGV[3], game) end
return overdue
