-- Charge an owner for a block, however often it is recorded.
-- KEYS  1 the mark of the block  2 processor time of the owner's games (us)  3 their bytes
-- ARGV  1 processor time (us)  2 bytes  3 how long 2 is kept (ms)  4 how long 1 and 3 are kept (ms)
if not redis.call("SET", KEYS[1], "", "NX", "PX", ARGV[4]) then return end
redis.call("INCRBY", KEYS[2], ARGV[1])
redis.call("PEXPIRE", KEYS[2], ARGV[3])
redis.call("INCRBY", KEYS[3], ARGV[2])
redis.call("PEXPIRE", KEYS[3], ARGV[4])
