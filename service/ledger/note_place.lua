-- Note where the record of a finished stream is, if the store still has its history.
-- KEYS  events, damage, the number of noted streams of the shard, then its hash of each level
-- ARGV  1 field  2 place  3 version  4 hash of the last event  5 mean size of a level's hashes
--       6 "1" if the place is noted even if the store has nothing of the stream
-- Answers "noted"; "elsewhere": it is noted in another place; "other": the stream is not this one.
local first = 4
local known = place_of(first, ARGV[1])
if known then return known == ARGV[2] and "noted" or "elsewhere" end
if ARGV[6] == "" or redis.call("EXISTS", KEYS[1]) == 1 then
  if redis.call("EXISTS", KEYS[2]) == 1 or not ends_with(KEYS[1], ARGV[3], ARGV[4]) then return "other" end
end
local count = tonumber(redis.call("GET", KEYS[3]) or "0")
local level, room = first, tonumber(ARGV[5])
while level < #KEYS and count >= room do
  level, room = level + 1, room * 32
end
redis.call("HSET", KEYS[level], ARGV[1], ARGV[2])
redis.call("INCR", KEYS[3])
return "noted"
