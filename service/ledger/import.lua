-- Store a whole game that was played elsewhere, unless something is in its place.
-- KEYS  events, secrets, tombstone, imported, index, lists, listed; the hashes in which the game is if it is in
--       a pack
-- ARGV  1 id  2 hash of its newest event  3 salt  4 chance seed  5 origin
--       6 its entry in the lists ("" = none: a tournament's game, which also needs no index)
--       7 its field in these hashes
--       then for each event: record, proofs
-- Answers "done"; "here": the same game is there already; "other": something else is in its place, or it is
-- in a pack.
if redis.call("EXISTS", KEYS[1], KEYS[2], KEYS[3]) > 0 then return in_place(KEYS[1], ARGV[2]) end
for i = 8, #KEYS do
  if redis.call("HEXISTS", KEYS[i], ARGV[7]) == 1 then return "other" end
end
redis.call("SET", KEYS[4], ARGV[5])
redis.call("HSET", KEYS[2], "salt", ARGV[3], "chance_seed", ARGV[4])
redis.call("DEL", KEYS[5])
local seq = 0
for i = 8, #ARGV, 2 do
  seq = seq + 1
  redis.call("XADD", KEYS[1], string.format("%d-0", seq), "e", ARGV[i], "p", ARGV[i + 1])
  if ARGV[6] ~= "" then
    redis.call("HSET", KEYS[5], "h" .. string.sub(ARGV[i + 1], 33, 40), seq)
  end
end
if ARGV[6] ~= "" then list(KEYS[6], KEYS[7], ARGV[1], ARGV[6]) end
return "done"
