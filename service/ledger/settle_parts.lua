-- Make claims of parts final, unless the part was set otherwise since.
-- KEYS  each player's part so far     ARGV  prefix of the claims, then the part of each player
for i, key in ipairs(KEYS) do
  if redis.call("GET", key) == ARGV[1] .. ARGV[i + 1] then redis.call("SET", key, ARGV[i + 1]) end
end
