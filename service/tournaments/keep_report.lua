-- Keep a tournament's report, unless the kept one is newer, or of the same version with more drawings.
--
-- KEYS  report, events
-- ARGV  1 its version       2 number of drawings of its bands       3 its head       4 the report
local known = redis.call("HMGET", KEYS[1], "version", "samples")
local newest = redis.call("XREVRANGE", KEYS[2], "+", "-", "COUNT", 1)[1]
local last = newest and tonumber(string.match(newest[1], "^%d+")) or 0
local version = tonumber(known[1] or 0)
if version <= last then -- else the kept report has events that the store has lost
  if version > tonumber(ARGV[1]) then return 0 end
  if version == tonumber(ARGV[1]) and tonumber(known[2]) > tonumber(ARGV[2]) then return 0 end
end
redis.call("HSET", KEYS[1], "version", ARGV[1], "samples", ARGV[2], "head", ARGV[3], "report", ARGV[4])
return 1
