-- Move an imported tournament from its temporary keys to its place, unless something is there.
-- KEYS  temporary events, temporary state; events, state, secrets, tombstone, imported, report, lists,
--       listed
-- ARGV  1 id  2 hash of its newest event  3 number of events  4 salt  5 chance seed  6 origin
--       7 its entry in the lists          then the fields of its report: name, value, …
-- Answers "done"; "here": the same is there already; "other": something else is in its place; "lost":
-- the temporary keys are incomplete.
local found = "done"
if redis.call("EXISTS", KEYS[3], KEYS[5]) > 0 then found = in_place(KEYS[3], ARGV[2])
elseif redis.call("XLEN", KEYS[1]) ~= tonumber(ARGV[3]) or redis.call("EXISTS", KEYS[2]) == 0
  or in_place(KEYS[1], ARGV[2]) ~= "here" then found = "lost" end
if found ~= "done" then
  redis.call("DEL", KEYS[1], KEYS[2])
  return found
end
redis.call("RENAME", KEYS[1], KEYS[3])
redis.call("RENAME", KEYS[2], KEYS[4])
redis.call("PERSIST", KEYS[3])
redis.call("PERSIST", KEYS[4])
redis.call("HSET", KEYS[5], "salt", ARGV[4], "chance_seed", ARGV[5])
redis.call("SET", KEYS[7], ARGV[6])
redis.call("DEL", KEYS[6], KEYS[8])
redis.call("HSET", KEYS[8], unpack(ARGV, 8))
list(KEYS[9], KEYS[10], ARGV[1], ARGV[7])
return "done"
