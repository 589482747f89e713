-- Claim parts in a rated table for players, unless one of them is known to be a program.
-- KEYS  each player's part so far     ARGV  prefix of a claim, then the part of each player
-- Answers the time of the claim (ms); nothing if a player is a program. "played" is final and stays.
for _, key in ipairs(KEYS) do
  if redis.call("GET", key) == "bot" then return false end
end
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i, key in ipairs(KEYS) do
  if redis.call("GET", key) ~= "played" then
    redis.call("SET", key, string.format("%s %.0f %s", ARGV[1], now, ARGV[i + 1]))
  end
end
return now
