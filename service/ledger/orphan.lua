-- Remove the obligation of a game or tournament, if it does not exist.
-- KEYS events, due or deadlines     ARGV id
if redis.call("EXISTS", KEYS[1]) == 1 then return 0 end
return redis.call("ZREM", KEYS[2], ARGV[1])
