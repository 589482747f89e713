-- Admit a player by an invitation, which counts each player once; a guest stays a guest.
-- KEYS  the table's fields, the game's events
-- ARGV  1 invitation  2 player  3 how many players it admits  4 now (ms)  5 when it expires (ms, "" = never)
--       6 when it was made (ms): it does not admit players whom the host has removed since
--       7 number of events of the game when the caller read it, in the lobby
-- Answers 1 if the player is a guest by this invitation now, 0 if not, -1 if the game has gone on.
if redis.call("XLEN", KEYS[2]) ~= tonumber(ARGV[7]) then return -1 end
local id, guest = ARGV[1], "guest:" .. ARGV[2]
if redis.call("HEXISTS", KEYS[1], "invitation:" .. id) == 0 then return 0 end
local removed = redis.call("HGET", KEYS[1], "removed:" .. ARGV[2])
if removed and tonumber(removed) > tonumber(ARGV[6]) then return 0 end
if redis.call("HGET", KEYS[1], guest) == id and not removed then return 1 end
if ARGV[5] ~= "" and tonumber(ARGV[5]) <= tonumber(ARGV[4]) then return 0 end
if tonumber(redis.call("HGET", KEYS[1], "used:" .. id) or "0") >= tonumber(ARGV[3]) then return 0 end
redis.call("HINCRBY", KEYS[1], "used:" .. id, 1)
redis.call("HSET", KEYS[1], guest, id)
redis.call("HDEL", KEYS[1], "removed:" .. ARGV[2])
return 1
