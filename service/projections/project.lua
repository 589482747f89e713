-- Put one game where the lists look for it, unless they know a later version already.
-- KEYS  1 summaries     ARGV  1 game id  2 version  3 summary  4 place  5 prefix  6.. its lists
local known = redis.call("HGET", KEYS[1], ARGV[1])
if known then
  local old = cjson.decode(known)
  if old.version >= tonumber(ARGV[2]) then return 0 end
  for _, name in ipairs(old.lists) do redis.call("ZREM", ARGV[5] .. name, old.place) end
end
local lists = {}
for i = 6, #ARGV do
  lists[#lists + 1] = ARGV[i]
  redis.call("ZADD", ARGV[5] .. ARGV[i], 0, ARGV[4])
end
local entry = {version = tonumber(ARGV[2]), summary = ARGV[3], place = ARGV[4], lists = lists}
redis.call("HSET", KEYS[1], ARGV[1], cjson.encode(entry))
return 1
