-- Remove a seat from the low clocks, and write the notice for its player to the tail.
-- KEYS  lows, the game's events, tail
-- ARGV  member of lows, its score, game id; then, if the player gets a notice: last id of the events,
--       version, head, notices, length of the tail
-- Answers 0 and does nothing if the seat's clock has changed, or the game has gone on.
local member, score, id = ARGV[1], ARGV[2], ARGV[3]
if tonumber(redis.call("ZSCORE", KEYS[1], member) or -1) ~= tonumber(score) then return 0 end
if #ARGV > 3 then
  local last, version, head, notices, length = unpack(ARGV, 4)
  local newest = redis.call("XREVRANGE", KEYS[2], "+", "-", "COUNT", 1)[1]
  if not newest or newest[1] ~= last then return 0 end
  redis.call("XADD", KEYS[3], "MAXLEN", "~", length, "*", "g", id, "v", version, "h", head, "n", notices)
end
redis.call("ZREM", KEYS[1], member)
return 1
