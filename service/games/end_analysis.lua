-- Store the outcome of a queued analysis, and drop the oldest of the analyses that are kept.
-- KEYS  the analysis, its rows, queued analyses, those of the player, kept analyses
-- ARGV  1 name  2 state  3 and 4 a field and its value  5 now (ms)  6 how long it is kept (s)
--       7 maximum number of kept analyses
-- Answers the names of the dropped analyses
redis.call("SREM", KEYS[4], ARGV[1])
redis.call("DEL", KEYS[2])
if redis.call("ZREM", KEYS[3], ARGV[1]) == 0 then return {} end
redis.call("HSET", KEYS[1], "state", ARGV[2], ARGV[3], ARGV[4])
redis.call("EXPIRE", KEYS[1], ARGV[6])
redis.call("ZREMRANGEBYSCORE", KEYS[5], "-inf", ARGV[5] - 1000 * ARGV[6])
redis.call("ZADD", KEYS[5], ARGV[5], ARGV[1])
local old = redis.call("ZRANGE", KEYS[5], 0, -tonumber(ARGV[7]) - 1)
if #old > 0 then redis.call("ZREM", KEYS[5], unpack(old)) end
return old
