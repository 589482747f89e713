-- Tell a player of something, if anybody listens, and the sender of webhooks, if some are the player's:
-- see service/ledger/notices.py. Returns whether somebody listens. What happened is in the games' streams,
-- and must not fail because this does.
local function tell(key, listeners, player, now, kind, body)
  local told = redis.pcall("XADD", key, "NOMKSTREAM", "MAXLEN", "~", 500, "*", "k", kind, "b", body)
  if type(told) ~= "string" then return false end
  redis.pcall("ZADD", listeners, "XX", now, player)
  return true
end

