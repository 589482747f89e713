-- Take the stream of a game or tournament aside that goes on in the store, although a pack has its end.
-- KEYS  events, secrets, table, then the keys to which these are moved; damage, index, snapshots, kept, report; due,
--       deadlines, lists, listed, asked, damaged
-- ARGV  1 id  2 version  3 hash of the last event in the pack
-- Answers 1; 0 if the store has nothing of it, or all of it.
if redis.call("EXISTS", KEYS[1]) == 0 or ends_with(KEYS[1], ARGV[2], ARGV[3]) then return 0 end
for i = 1, 3 do
  if redis.call("EXISTS", KEYS[i]) == 1 then redis.call("RENAME", KEYS[i], KEYS[i + 3]) end
end
redis.call("UNLINK", unpack(KEYS, 7, 11))
redis.call("ZREM", KEYS[12], ARGV[1])
redis.call("ZREM", KEYS[13], ARGV[1])
unlist(KEYS[14], KEYS[15], ARGV[1])
ask(KEYS[14], KEYS[16], ARGV[1], "[]")
redis.call("SREM", KEYS[17], ARGV[1])
return 1
