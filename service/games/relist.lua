-- Write a stream's entry in the lists again, unless an append wrote it at a later version.
-- KEYS  lists, listed, asked, events, the number of rated games that have left the lists
-- ARGV  1 id  2 version  3 entry  4 newest version ("" = leave the entries of asked players)  5 entries of
--       asked players (JSON)  6 "1" if the stream has come back into the store: then, if it is in no list, a rated
--       game does not count any more among those that have left
-- Answers 0 if the stream has gone on since its newest version was read.
local known = redis.call("HGET", KEYS[2], ARGV[1])
if not known or cjson.decode(known).version <= tonumber(ARGV[2]) then
  list(KEYS[1], KEYS[2], ARGV[1], ARGV[3])
end
if ARGV[6] == "1" and not known then
  for _, name in ipairs(cjson.decode(ARGV[3]).entries) do
    if string.sub(name, 1, 6) == "rated:" then redis.call("DECR", KEYS[5]) end
  end
end
if ARGV[4] == "" then return 1 end
local newest = redis.call("XREVRANGE", KEYS[4], "+", "-", "COUNT", 1)[1]
if newest and tonumber(string.match(newest[1], "^%d+")) ~= tonumber(ARGV[4]) then return 0 end
ask(KEYS[1], KEYS[3], ARGV[1], ARGV[5])
return 1
