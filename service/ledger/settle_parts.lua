-- Note that claimed parts were appended, where nothing else has been said since.
-- KEYS  what says of each what he is     ARGV  how the claims begin, then the part of each
for i, key in ipairs(KEYS) do
  if redis.call("GET", key) == ARGV[1] .. ARGV[i + 1] then redis.call("SET", key, ARGV[i + 1]) end
end
