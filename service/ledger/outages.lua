-- Say that the service answers, and record how long it did not before; or only look.
-- KEYS  time of the last sign of life (ms), sorted set of outages
-- ARGV  1 to say so, 0 to look; ms of silence that are an outage; how many outages are kept
-- Answers {newest outage or "", since when the service has been silent or 0}.
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local last = tonumber(redis.call("GET", KEYS[1]) or now)
local silent = now - last > tonumber(ARGV[2])
if ARGV[1] == "1" then
  if silent then
    redis.call("ZADD", KEYS[2], now, string.format("%d-%d", last, now))
    redis.call("ZREMRANGEBYRANK", KEYS[2], 0, -1 - tonumber(ARGV[3]))
    silent = false
  end
  if now >= last then redis.call("SET", KEYS[1], string.format("%d", now)) end
end
local newest = redis.call("ZRANGE", KEYS[2], -1, -1)[1] or ""
return {newest, silent and string.format("%d", last) or "0"}
