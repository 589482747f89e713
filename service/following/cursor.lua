-- Say how far a consumer has followed a shard, and move that on; only who leads may.
-- KEYS  how far, tail     ARGV  1 consumer  2 token  3 where to ("" = stay)
-- Answers {place, the tail's newest}; nothing, if another has led meanwhile. Whoever follows for the first
-- time begins with what the tail has.
local fence = ARGV[1] .. ":token"
if tonumber(redis.call("HGET", KEYS[1], fence) or 0) > tonumber(ARGV[2]) then return false end
redis.call("HSET", KEYS[1], fence, ARGV[2])
if ARGV[3] ~= "" then
  redis.call("HSET", KEYS[1], ARGV[1], ARGV[3])
  return {ARGV[3], ""}
end
local newest = redis.call("XREVRANGE", KEYS[2], "+", "-", "COUNT", 1)[1]
local place = redis.call("HGET", KEYS[1], ARGV[1])
if not place and not newest then -- what comes is told from here on, however much of it is dropped
  local time = redis.call("TIME")
  place = string.format("%.0f-0", time[1] * 1000 + math.floor(time[2] / 1000) - 1)
  redis.call("HSET", KEYS[1], ARGV[1], place)
end
return {place or "0-0", newest and newest[1] or ""}
