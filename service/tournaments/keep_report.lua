-- Keep a report of a tournament unless a newer one is kept, or the same with bands.
--
-- KEYS  report, events
-- ARGV  1 its version       2 how many drawings its bands are of       3 its head       4 the report
local known = redis.call("HMGET", KEYS[1], "version", "samples")
local newest = redis.call("XREVRANGE", KEYS[2], "+", "-", "COUNT", 1)[1]
local last = newest and tonumber(string.match(newest[1], "^%d+")) or 0
local version = tonumber(known[1] or 0)
if version <= last then -- or it is of a history that the store has lost
  if version > tonumber(ARGV[1]) then return 0 end
  if version == tonumber(ARGV[1]) and tonumber(known[2]) > tonumber(ARGV[2]) then return 0 end
end
redis.call("HSET", KEYS[1], "version", ARGV[1], "samples", ARGV[2], "head", ARGV[3], "report", ARGV[4])
return 1
