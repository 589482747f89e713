-- Claim parts in a rated table, if none of those who take them is a program.
-- KEYS  what says of each what he is     ARGV  how a claim begins, then the part of each
-- Answers when they were claimed (ms); nothing, if one is a program. Who has played has said so for good.
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
