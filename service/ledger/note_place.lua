-- Note where the record of a finished stream is, if the store still has its history.
-- KEYS  events, damage, the number of noted streams of the shard, then its hash of each level
-- ARGV  1 field  2 place  3 version  4 hash of the last event  5 mean size of a level's hashes
-- Answers "noted"; "elsewhere": it is noted in another place; "other": the stream is not this one.
local first = 4
for level = first, #KEYS do
  local known = redis.call("HGET", KEYS[level], ARGV[1])
  if known then return known == ARGV[2] and "noted" or "elsewhere" end
end
if redis.call("EXISTS", KEYS[2]) == 1 then return "other" end
local newest = redis.pcall("XREVRANGE", KEYS[1], "+", "-", "COUNT", 1)
if newest.err or not newest[1] or newest[1][1] ~= ARGV[3] .. "-0" then return "other" end
local head
for i = 1, #newest[1][2], 2 do
  if newest[1][2][i] == "p" then head = string.sub(newest[1][2][i + 1], 33) end
end
if head ~= ARGV[4] then return "other" end
local count = tonumber(redis.call("GET", KEYS[3]) or "0")
local level, room = first, tonumber(ARGV[5])
while level < #KEYS and count >= room do
  level, room = level + 1, room * 32
end
redis.call("HSET", KEYS[level], ARGV[1], ARGV[2])
redis.call("INCR", KEYS[3])
return "noted"
