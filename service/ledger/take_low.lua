-- Take a seat out of those whose time gets short, and tell its player, if one is to be told.
-- KEYS  lows; listeners, the player's notices, tail, the game's events
-- ARGV  member of lows, its score; last id of the events, player, kind, body, length of the tail,
--       game id, version, head, now (ms)
if tonumber(redis.call("ZSCORE", KEYS[1], ARGV[1]) or -1) ~= tonumber(ARGV[2]) then return 0 end
if #KEYS > 1 then
  local newest = redis.call("XREVRANGE", KEYS[5], "+", "-", "COUNT", 1)[1]
  if not newest or newest[1] ~= ARGV[3] then return 0 end
  if tell(KEYS[3], KEYS[2], ARGV[4], ARGV[11], ARGV[5], ARGV[6]) then
    redis.call("XADD", KEYS[4], "MAXLEN", "~", ARGV[7], "*", "g", ARGV[8], "v", ARGV[9], "h", ARGV[10], "p", ARGV[4])
  end
end
redis.call("ZREM", KEYS[1], ARGV[1])
return 1
