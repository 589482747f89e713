-- Reserve the place of a tournament during its import: nothing else can begin there.
-- KEYS  events, secrets, tombstone     ARGV  1 hash of its newest event
-- Answers "done"; "here": the same is there already; "other": something else is in its place.
if redis.call("EXISTS", KEYS[1], KEYS[2]) > 0 then return in_place(KEYS[1], ARGV[1]) end
redis.call("SET", KEYS[3], "importing")
return "done"
