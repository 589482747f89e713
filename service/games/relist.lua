-- Write a stream's entry in the lists again, unless an append wrote it at a later version.
-- KEYS  lists, listed, asked, events
-- ARGV  1 id  2 version  3 entry  4 newest version ("" = leave the entries of asked players)  5 entries of
--       asked players (JSON)
-- Answers 0 if the stream has gone on since its newest version was read.
local known = redis.call("HGET", KEYS[2], ARGV[1])
if not known or cjson.decode(known).version <= tonumber(ARGV[2]) then
  list(KEYS[1], KEYS[2], ARGV[1], ARGV[3])
end
if ARGV[4] == "" then return 1 end
local newest = redis.call("XREVRANGE", KEYS[4], "+", "-", "COUNT", 1)[1]
if newest and tonumber(string.match(newest[1], "^%d+")) ~= tonumber(ARGV[4]) then return 0 end
ask(KEYS[1], KEYS[3], ARGV[1], ARGV[5])
return 1
