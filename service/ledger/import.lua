-- Store a game that was played elsewhere, whole, unless something is there already.
-- KEYS  events, secrets, tombstone, imported, index, lists, listed
-- ARGV  1 id  2 hash of its newest event  3 salt  4 chance seed  5 origin  6 how lists have it
--       then for each event: record, proofs
-- Answers "done"; "here": it is there already; "other": something else is in its place.
if redis.call("EXISTS", KEYS[1], KEYS[2], KEYS[3]) > 0 then
  local newest = redis.pcall("XREVRANGE", KEYS[1], "+", "-", "COUNT", 1)
  if newest.err or not newest[1] then return "other" end
  local words = newest[1][2]
  for i = 1, #words, 2 do
    if words[i] == "p" and string.sub(words[i + 1], 33) == ARGV[2] then return "here" end
  end
  return "other"
end
redis.call("SET", KEYS[4], ARGV[5])
redis.call("HSET", KEYS[2], "salt", ARGV[3], "chance_seed", ARGV[4])
redis.call("DEL", KEYS[5])
local seq = 0
for i = 7, #ARGV, 2 do
  seq = seq + 1
  redis.call("XADD", KEYS[1], string.format("%d-0", seq), "e", ARGV[i], "p", ARGV[i + 1])
  redis.call("HSET", KEYS[5], "h" .. string.sub(ARGV[i + 1], 33, 40), seq)
end
list(KEYS[6], KEYS[7], ARGV[1], ARGV[6])
return "done"
