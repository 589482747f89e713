-- Store a game again that has left the store; it stays noted where it is in a pack.
-- KEYS  events, secrets, table, imported, index, then the hashes of places
-- ARGV  1 field  2 place  3 salt  4 chance seed  5 origin ("" = none); then two groups of pairs, which begin with
--       the number of their words: the fields of the table, and those of the index; then for each event: record,
--       proofs, retry ("" = none)
-- Answers "back"; "elsewhere": it is not noted in this place; "other": the store has a stream of it.
if place_of(6, ARGV[1]) ~= ARGV[2] then return "elsewhere" end
if redis.call("EXISTS", KEYS[1]) == 1 then return "other" end
redis.call("HSET", KEYS[2], "salt", ARGV[3], "chance_seed", ARGV[4])
if ARGV[5] ~= "" then redis.call("SET", KEYS[4], ARGV[5]) end
local at = 6
redis.call("DEL", KEYS[5])
for _, key in ipairs({KEYS[3], KEYS[5]}) do
  local last = at + tonumber(ARGV[at])
  -- Fields of the table that were written since the game left are newer; empty ones were removed.
  for i = at + 1, last, 2 do
    if redis.call("HSETNX", key, ARGV[i], ARGV[i + 1]) == 0 and redis.call("HGET", key, ARGV[i]) == "" then
      redis.call("HDEL", key, ARGV[i])
    end
  end
  at = last + 1
end
local seq = 0
for i = at, #ARGV, 3 do
  seq = seq + 1
  local words = {"e", ARGV[i], "p", ARGV[i + 1]}
  if ARGV[i + 2] ~= "" then words[5], words[6] = "r", ARGV[i + 2] end
  redis.call("XADD", KEYS[1], string.format("%d-0", seq), unpack(words))
end
return "back"
