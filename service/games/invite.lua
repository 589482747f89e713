-- Keep an invitation, unless the table has too many.
-- KEYS  what is kept of the table     ARGV  1 field  2 invitation  3 how many there may be
local count = 0
for _, field in ipairs(redis.call("HKEYS", KEYS[1])) do
  if string.sub(field, 1, 11) == "invitation:" then count = count + 1 end
end
if count >= tonumber(ARGV[3]) then return 0 end
redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
return 1
