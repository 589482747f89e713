-- Remove a game that has left the store from its lists, if it is listed as the index of packs lists it.
-- A rated game that was in the list of those is counted.
-- KEYS  events, lists, listed, the number of rated games that have left, then the hashes of places
-- ARGV  1 id  2 field  3 place  4 listing
-- Answers "unlisted", also if it was in no list; "elsewhere": it is not noted in this place; "other": the store has
-- a stream of it, or lists it in another way.
if place_of(5, ARGV[2]) ~= ARGV[3] then return "elsewhere" end
if redis.call("EXISTS", KEYS[1]) == 1 then return "other" end
local known = redis.call("HGET", KEYS[3], ARGV[1])
if known and known ~= ARGV[4] then return "other" end
for _, name in ipairs(known and cjson.decode(known).entries or {}) do
  if string.sub(name, 1, 6) == "rated:" then redis.call("INCR", KEYS[4]) end
end
unlist(KEYS[2], KEYS[3], ARGV[1])
return "unlisted"
