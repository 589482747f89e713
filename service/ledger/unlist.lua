-- Remove a game that has left the store from its lists, if it is listed as the index of packs lists it.
-- KEYS  events, lists, listed, then the hashes of places
-- ARGV  1 id  2 field  3 place  4 listing
-- Answers "unlisted", also if it was in no list; "elsewhere": it is not noted in this place; "other": the store has
-- a stream of it, or lists it in another way.
if place_of(4, ARGV[2]) ~= ARGV[3] then return "elsewhere" end
if redis.call("EXISTS", KEYS[1]) == 1 then return "other" end
local known = redis.call("HGET", KEYS[3], ARGV[1])
if known and known ~= ARGV[4] then return "other" end
unlist(KEYS[2], KEYS[3], ARGV[1])
return "unlisted"
