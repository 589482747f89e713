-- Remove a finished game or tournament that is in a pack, if the store has nothing else of it than the archive has.
-- KEYS  events, damage, table, secrets, index, snapshots, imported, kept, report, due, deadlines, then the hashes of
--       places
-- ARGV  1 id  2 field  3 place  4 version  5 hash of the last event, then the fields of the table: name, value
-- Answers "gone"; "elsewhere": it is not noted in this place; "other": the stream or the table is not this one.
if place_of(12, ARGV[2]) ~= ARGV[3] then return "elsewhere" end
if redis.call("EXISTS", KEYS[2]) == 1 or not ends_with(KEYS[1], ARGV[4], ARGV[5]) then return "other" end
if redis.call("HLEN", KEYS[3]) ~= (#ARGV - 5) / 2 then return "other" end
for i = 6, #ARGV, 2 do
  if redis.call("HGET", KEYS[3], ARGV[i]) ~= ARGV[i + 1] then return "other" end
end
redis.call("UNLINK", KEYS[1], unpack(KEYS, 3, 9))
redis.call("ZREM", KEYS[10], ARGV[1])
redis.call("ZREM", KEYS[11], ARGV[1])
return "gone"
