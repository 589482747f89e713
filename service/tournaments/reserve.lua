-- Keep the place of a tournament that is imported: what begins there is refused until it is complete.
-- KEYS  events, secrets, tombstone     ARGV  1 hash of its newest event
-- Answers "done"; "here": it is there already; "other": something else is in its place.
if redis.call("EXISTS", KEYS[1], KEYS[2]) > 0 then return in_place(KEYS[1], ARGV[1]) end
redis.call("SET", KEYS[3], "importing")
return "done"
