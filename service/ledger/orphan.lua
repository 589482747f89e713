-- Remove what is owed to a game or tournament that does not exist; called by who believes so.
-- KEYS events, due or deadlines     ARGV id
if redis.call("EXISTS", KEYS[1]) == 1 then return 0 end
return redis.call("ZREM", KEYS[2], ARGV[1])
