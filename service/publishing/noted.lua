-- Note beside the marker of the public log how far the store's entries go, and which games wait for a leaf.
-- KEYS  1 marker  2 lease  3 waiting games, by time     ARGV  1 token of the lead  2, 3 size and root of the
--       marker ("" = none)  4 number of leaves whose entries are noted ("" = forget it)  5 "1" = all streams
--       have been read, "0" = they have not, "" = as before, then for each game: its id, the time (ms) of its
--       leaf ("" = it does not wait)
-- Answers "done", "lost" (another process leads, or has led) or "moved" (it is another marker).
if (redis.call("HGET", KEYS[2], "token") or "0") ~= ARGV[1] then return "lost" end
local known = redis.call("HMGET", KEYS[1], "size", "root")
if (known[1] or "") ~= ARGV[2] or (known[2] or "") ~= ARGV[3] then return "moved" end
for i = 6, #ARGV, 2 do
  if ARGV[i + 1] == "" then redis.call("ZREM", KEYS[3], ARGV[i]) else redis.call("ZADD", KEYS[3], ARGV[i + 1], ARGV[i]) end
end
if ARGV[4] == "" then redis.call("HDEL", KEYS[1], "indexed") else redis.call("HSET", KEYS[1], "indexed", ARGV[4]) end
if ARGV[5] == "1" then redis.call("HSET", KEYS[1], "scanned", 1) end
if ARGV[5] == "0" then redis.call("HDEL", KEYS[1], "scanned") end
return "done"
