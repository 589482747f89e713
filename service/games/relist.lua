-- List a stream again, unless an append did so at a later version.
-- KEYS  lists, listed     ARGV  1 id  2 version  3 entry
local known = redis.call("HGET", KEYS[2], ARGV[1])
if known and cjson.decode(known).version > tonumber(ARGV[2]) then return 0 end
list(KEYS[1], KEYS[2], ARGV[1], ARGV[3])
return 1
