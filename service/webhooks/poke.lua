-- Schedule a webhook for an immediate try, because of a ping or because it is enabled again.
-- KEYS  waiting, its state, quick, slow
-- ARGV  id, group
redis.call("ZADD", KEYS[1], "NX", now, ARGV[1])
local lane, at = find(KEYS[3], KEYS[4], ARGV[2], ARGV[1])
if at and at % 1 ~= 0 then return end -- it is taken, and its worker will see the ping
put(lane or lane_of(KEYS[3], KEYS[4], KEYS[2]), ARGV[2], ARGV[1], now)
