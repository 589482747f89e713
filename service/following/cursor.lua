-- Return the place up to which a consumer has read a shard's tail, or set it; only the leader may.
-- KEYS  places, tail     ARGV  1 consumer  2 leader's token  3 new place ("" = only read it)
-- Answers {place, newest id of the tail}; nothing if another process has led since. A consumer without
-- a place begins at the first entry of the tail.
local fence = ARGV[1] .. ":token"
if tonumber(redis.call("HGET", KEYS[1], fence) or 0) > tonumber(ARGV[2]) then return false end
redis.call("HSET", KEYS[1], fence, ARGV[2])
if ARGV[3] ~= "" then
  redis.call("HSET", KEYS[1], ARGV[1], ARGV[3])
  return {ARGV[3], ""}
end
local newest = redis.call("XREVRANGE", KEYS[2], "+", "-", "COUNT", 1)[1]
local place = redis.call("HGET", KEYS[1], ARGV[1])
if not place and not newest then -- begin now, so that entries dropped later are still noticed
  local time = redis.call("TIME")
  place = string.format("%.0f-0", time[1] * 1000 + math.floor(time[2] / 1000) - 1)
  redis.call("HSET", KEYS[1], ARGV[1], place)
end
return {place or "0-0", newest and newest[1] or ""}
