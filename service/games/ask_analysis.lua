-- Queue an analysis, unless it is done or queued already.
-- KEYS  the analysis, its rows, queued analyses, those of the player, those of the address
-- ARGV  1 name  2 player  3 now (ms)  4 steps  5 holder  6 maximum for a player  7 maximum for an
--       address  8 maximum in all  9 how long it is kept (s)  10 delay until a sweep queues it again (ms)
-- Answers "open", "done", or the maximum that is reached: "player", "address", "service"
local state = redis.call("HGET", KEYS[1], "state")
if state == "done" then return "done" end
if state == "queued" and redis.call("ZSCORE", KEYS[3], ARGV[1]) then return "open" end
for i = 4, 5 do
  for _, name in ipairs(redis.call("SMEMBERS", KEYS[i])) do
    if not redis.call("ZSCORE", KEYS[3], name) then redis.call("SREM", KEYS[i], name) end
  end
end
if redis.call("SCARD", KEYS[4]) >= tonumber(ARGV[6]) then return "player" end
if redis.call("SCARD", KEYS[5]) >= tonumber(ARGV[7]) then return "address" end
if redis.call("ZCARD", KEYS[3]) >= tonumber(ARGV[8]) then return "service" end
redis.call("DEL", KEYS[1], KEYS[2])
redis.call("HSET", KEYS[1], "state", "queued", "owner", ARGV[2], "asked_at", ARGV[3],
  "steps", ARGV[4], "holder", ARGV[5])
redis.call("EXPIRE", KEYS[1], ARGV[9])
redis.call("ZADD", KEYS[3], ARGV[3] + ARGV[10], ARGV[1])
for i = 4, 5 do
  redis.call("SADD", KEYS[i], ARGV[1])
  redis.call("EXPIRE", KEYS[i], ARGV[9])
end
return "open"
