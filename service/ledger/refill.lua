-- Copy entries of a stream from another store, with their ids.
-- KEYS  events     ARGV  1 "1" if these are its first entries, then for each: id, number of words, words
if ARGV[1] == "1" then redis.call("DEL", KEYS[1]) end
local at = 2
while at <= #ARGV do
  local words = tonumber(ARGV[at + 1])
  redis.call("XADD", KEYS[1], ARGV[at], unpack(ARGV, at + 2, at + 1 + words))
  at = at + 2 + words
end
return redis.status_reply("OK")
