-- Wake the webhooks of players who were told something, and take some whose time it is.
-- KEYS  players, webhooks of each, waiting, due, slow
-- ARGV  how many players, how many of due, how many of slow, for how long they are taken (ms)
-- Answers {now, until, ids of due, ids of slow}; times in ms.
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local told = redis.call("ZRANGEBYSCORE", KEYS[1], "(0", "+inf", "WITHSCORES", "LIMIT", 0, ARGV[1])
for i = 1, #told, 2 do
  for id in string.gmatch(redis.call("HGET", KEYS[2], told[i]) or "", "%S+") do
    redis.call("ZADD", KEYS[3], "NX", told[i + 1], id)
    redis.call("ZADD", KEYS[4], "NX", now, id)
  end
  redis.call("ZADD", KEYS[1], 0, told[i])
end

local ends = now + ARGV[4] + 0.5 -- a half says that it is taken
local function take(key, many)
  local ids = redis.call("ZRANGEBYSCORE", key, "-inf", now, "LIMIT", 0, many)
  for _, id in ipairs(ids) do redis.call("ZADD", key, ends, id) end
  return ids
end
return {now, tostring(ends), take(KEYS[4], ARGV[2]), take(KEYS[5], ARGV[3])}
