-- Tell a player of something: see service/ledger/notices.py. What happened is in the games' streams,
-- and must not fail because this does.
local NOTICES, NOTICES_MS = 500, 7 * 24 * 3600 * 1000

local function tell(key, kind, body)
  redis.pcall("XADD", key, "MAXLEN", "~", NOTICES, "*", "k", kind, "b", body)
  if redis.call("PTTL", key) < NOTICES_MS then redis.call("PEXPIRE", key, 2 * NOTICES_MS) end
end

