-- Store a page of an imported tournament in temporary keys, which expire if no more pages come.
-- KEYS  temporary events, temporary state
-- ARGV  1 seconds until they expire     2 number of words of the state, then the words: name, value, …
--       then for each event: seq, record, proofs
local words = tonumber(ARGV[2])
for i = 3, 2 + words, 2 do redis.call("HSET", KEYS[2], ARGV[i], ARGV[i + 1]) end
local newest = redis.call("XREVRANGE", KEYS[1], "+", "-", "COUNT", 1)[1]
local last = newest and tonumber(string.match(newest[1], "^%d+")) or 0
for i = 3 + words, #ARGV, 3 do
  if tonumber(ARGV[i]) > last then -- else the page is repeated, because its answer was lost
    redis.call("XADD", KEYS[1], ARGV[i] .. "-0", "e", ARGV[i + 1], "p", ARGV[i + 2])
  end
end
for i = 1, 2 do redis.call("EXPIRE", KEYS[i], ARGV[1]) end
return "done"
