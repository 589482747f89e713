-- Do what a request asks for, unless it was done before: in one step, so that no crash lies between.
-- KEYS  what is kept of the answer, then all keys that the commands name
-- ARGV  1 what to keep  2 for how many seconds, then for each command: how many words, and these
-- Answers what is kept: of an earlier request, if there was one.
local known = redis.call("GET", KEYS[1])
if known then return known end
redis.call("SET", KEYS[1], ARGV[1], "EX", ARGV[2])
local at = 3
while at <= #ARGV do
  local words = tonumber(ARGV[at])
  redis.call(unpack(ARGV, at + 1, at + words))
  at = at + words + 1
end
return ARGV[1]
