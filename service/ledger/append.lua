-- Append one batch of events to a game's stream, or say why not. All reads and checks come first,
-- because a script does not roll back.
--
-- KEYS  events, secrets, tombstone, due, deadlines, feed, tail
-- ARGV  1 game id          2 expected seq       3 expected hash     4 how many missed events to send
--       5 due from (ms, "" = not due)           6 deadline (ms, "" = none)
--       7 not after (ms, "" = always)           8 not before (ms, "" = always)
--       9 "1" if listings must hear of it      10 length of the tail
--      11 salt, 12 chance seed ("" unless the batch creates the game)
--      13.. for each event: record, proofs, retry
-- Answers {"done"} | {"behind", entries} | {"diverged"} | {"gone"} | {"late", now} | {"early", now}
local function hash_of(entry)
  local fields = entry[2]
  for i = 1, #fields, 2 do
    if fields[i] == "p" then return string.sub(fields[i + 1], 33) end
  end
end

local expected = tonumber(ARGV[2])
if redis.call("EXISTS", KEYS[3]) == 1 then return {"gone"} end
local newest = redis.call("XREVRANGE", KEYS[1], "+", "-", "COUNT", 1)[1]
local seq = newest and tonumber(string.match(newest[1], "^%d+")) or 0
if seq > expected then
  if expected > 0 then
    local base = redis.call("XRANGE", KEYS[1], expected .. "-0", expected .. "-0")[1]
    if not base or hash_of(base) ~= ARGV[3] then return {"diverged"} end
  end
  local from = string.format("%d-0", expected + 1)
  return {"behind", redis.call("XRANGE", KEYS[1], from, "+", "COUNT", tonumber(ARGV[4]))}
end
if seq < expected or (newest and hash_of(newest) ~= ARGV[3]) then return {"diverged"} end

local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[7] ~= "" and now > tonumber(ARGV[7]) then return {"late", now} end
if ARGV[8] ~= "" and now < tonumber(ARGV[8]) then return {"early", now} end

if ARGV[11] ~= "" then redis.call("HSET", KEYS[2], "salt", ARGV[11], "chance_seed", ARGV[12]) end
for i = 13, #ARGV, 3 do
  seq = seq + 1
  local id = string.format("%d-0", seq)
  if ARGV[i + 2] == "" then
    redis.call("XADD", KEYS[1], id, "e", ARGV[i], "p", ARGV[i + 1])
  else
    redis.call("XADD", KEYS[1], id, "e", ARGV[i], "p", ARGV[i + 1], "r", ARGV[i + 2])
  end
end

if ARGV[5] ~= "" then redis.call("ZADD", KEYS[4], ARGV[5], ARGV[1])
else redis.call("ZREM", KEYS[4], ARGV[1]) end
if ARGV[6] ~= "" then redis.call("ZADD", KEYS[5], ARGV[6], ARGV[1])
else redis.call("ZREM", KEYS[5], ARGV[1]) end
if ARGV[9] == "1" then redis.call("XADD", KEYS[6], "*", "g", ARGV[1], "v", seq) end
redis.call("XADD", KEYS[7], "MAXLEN", "~", ARGV[10], "*", "g", ARGV[1], "v", seq)
return {"done"}
