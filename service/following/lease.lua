-- Take, extend or give back the lead: one process at a time leads, by the server's clock.
-- KEYS  the lease     ARGV  1 holder  2 duration (ms), 0: give it back
-- Answers {token, until (ms)}; token 0 if another process leads, or if the lead was given back.
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lease = redis.call("HMGET", KEYS[1], "holder", "token", "until")
local is_mine, token, ends = lease[1] == ARGV[1], tonumber(lease[2] or 0), tonumber(lease[3] or 0)
if not is_mine and ends >= now then return {0, ends} end
if ARGV[2] == "0" then
  if is_mine then redis.call("HSET", KEYS[1], "until", 0, "holder", "") end
  return {0, 0}
end
-- Greater than all earlier tokens, even if a failover lost the newest: no token exceeds the time.
if not is_mine or ends < now then token = math.max(token + 1, now) end
ends = now + ARGV[2]
redis.call("HSET", KEYS[1], "holder", ARGV[1], "token", string.format("%.0f", token), "until", string.format("%.0f", ends))
return {token, ends}
