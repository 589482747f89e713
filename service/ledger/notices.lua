-- Tell a player of something, if anybody listens: see service/ledger/notices.py. Returns whether one
-- does. What happened is in the games' streams, and must not fail because this does.
local function tell(key, kind, body)
  local told = redis.pcall("XADD", key, "NOMKSTREAM", "MAXLEN", "~", 500, "*", "k", kind, "b", body)
  return type(told) == "string"
end

