-- Lay a page of a tournament beside its place; all of it goes by itself if nobody comes back.
-- KEYS  events, how it stands (both beside)
-- ARGV  1 seconds that they stay     2 how many of the next say how it stands: name, value, …
--       then for each event: seq, record, proofs
local words = tonumber(ARGV[2])
for i = 3, 2 + words, 2 do redis.call("HSET", KEYS[2], ARGV[i], ARGV[i + 1]) end
local newest = redis.call("XREVRANGE", KEYS[1], "+", "-", "COUNT", 1)[1]
local last = newest and tonumber(string.match(newest[1], "^%d+")) or 0
for i = 3 + words, #ARGV, 3 do
  if tonumber(ARGV[i]) > last then -- or it is told twice, because the answer was lost
    redis.call("XADD", KEYS[1], ARGV[i] .. "-0", "e", ARGV[i + 1], "p", ARGV[i + 2])
  end
end
for i = 1, 2 do redis.call("EXPIRE", KEYS[i], ARGV[1]) end
return "done"
