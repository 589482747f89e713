-- Replace the marker of the public log, if it is still the one that is known, and this process leads.
-- KEYS  1 marker  2 lease     ARGV  1 token of the lead  2, 3 known size and root ("" = no marker)
--       4, 5, 6 new size, root and signed note
-- Answers "done", "lost" (another process leads, or the lease is over) or "moved". A repetition is "done".
local time = redis.call("TIME")
local lease = redis.call("HMGET", KEYS[2], "token", "until")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if tonumber(lease[1] or 0) ~= tonumber(ARGV[1]) or tonumber(lease[2] or 0) < now then return "lost" end
local known = redis.call("HMGET", KEYS[1], "size", "root", "note")
if known[1] == ARGV[4] and known[2] == ARGV[5] and known[3] == ARGV[6] then return "done" end
if (known[1] or "") ~= ARGV[2] or (known[2] or "") ~= ARGV[3] then return "moved" end
redis.call("HSET", KEYS[1], "size", ARGV[4], "root", ARGV[5], "note", ARGV[6])
return "done"
