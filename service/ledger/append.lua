-- Append one batch of events to a game's stream, or say why not. All reads and checks come first,
-- because a script does not roll back.
--
-- KEYS  events, secrets, tombstone, damage, due, deadlines, lists, listed, tail, index, asked,
--       kept or table (if fields come with it), or aside and damaged games (if an operator ends one
--       with it), if players are told of it, lows, listeners and the notices of each, and what says
--       of each who has part in a rated table what he is
-- ARGV  1 game id          2 expected seq       3 expected hash     4 how many missed events to send
--       5 due from (ms, "" = not due)           6 deadline (ms, "" = none)
--       7 how lists have it now ("" = as before)   8 length of the tail
--       9 how far the batch's time may be from the server's (ms)
--      10 "1" if an operator ends a damaged game with it
--      11 salt, 12 chance seed ("" unless the batch creates the game)
--      13 "1" if players may say to have seen it   14 the index's field of the request ("" = none)
--      15 when that was which came before (ms)     16 where lists have it as asked ("" = as before)
--      17 how many notices   18 how many lows   19 how many have part in a rated table
--      20 how many of the next are kept: name, value, …
--      then for each who has part what is to be said of him; for each notice: player, kind, body;
--      for each low: which, when ("" = it leaves); for each event: record, proofs, retry
-- Answers {what, now} with now in ms, and for "behind" the missed entries:
--   done, behind, diverged, gone, damaged, program: one has part in a rated table, or off: the batch's
--   time is not the server's, stamp it again
local function field(entry, name)
  for i = 1, #entry[2], 2 do
    if entry[2][i] == name then return entry[2][i + 1] end
  end
  return ""
end

local function hash_of(entry) return string.sub(field(entry, "p"), 33) end

local function seq_of(id) return tonumber(string.match(id, "^%d+")) end

-- When a record says that it was made, in ms since 1970; 0 if it does not say.
local function time_of(record)
  local year, month, day, hour, minute, second, ms =
    string.match(record, '"t":"(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)%.(%d+)Z"')
  if not year then return 0 end
  year, month = tonumber(year), tonumber(month)
  if month < 3 then year, month = year - 1, month + 12 end -- leap days end a year of March to February
  local leap_days = math.floor(year / 4) - math.floor(year / 100) + math.floor(year / 400)
  local days = 365 * year + leap_days + math.floor((153 * (month - 3) + 2) / 5) + day - 719469
  return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + ms
end

local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local expected = tonumber(ARGV[2])
if redis.call("EXISTS", KEYS[3]) == 1 then return {"gone", now} end

-- What lies in the place of a stream counts as one event, and so does what was removed from its end.
local info = redis.pcall("XINFO", "STREAM", KEYS[1])
local strange = info.err and redis.call("EXISTS", KEYS[1]) == 1
local newest = not info.err and field({KEYS[1], info}, "last-entry")
local held = newest and seq_of(newest[1]) or 0
local seq = held
if strange then seq = 1
elseif not info.err then seq = seq_of(field({KEYS[1], info}, "last-generated-id")) end
local sealed = ARGV[11] ~= "" or held == 0 or redis.call("EXISTS", KEYS[2]) == 1 -- else with what?
local damaged = seq > held or not sealed or redis.call("EXISTS", KEYS[4]) == 1
if damaged and ARGV[10] == "" then return {"damaged", now} end

if ARGV[14] ~= "" then
  local first = redis.call("HGET", KEYS[10], ARGV[14])
  local found = first and redis.call("XRANGE", KEYS[1], first .. "-0", first .. "-0")[1]
  -- A stream that was rewound may hold another event there, or none.
  if found and "r" .. string.sub(field(found, "r"), 1, #ARGV[14] - 1) == ARGV[14] then
    return {"answered", now, {found}}
  end
end
if seq > expected then
  if expected > 0 then
    local base = redis.call("XRANGE", KEYS[1], expected .. "-0", expected .. "-0")[1]
    if not base or hash_of(base) ~= ARGV[3] then return {"diverged", now} end
  end
  local from = string.format("%d-0", expected + 1)
  return {"behind", now, redis.call("XRANGE", KEYS[1], from, "+", "COUNT", tonumber(ARGV[4]))}
end
if seq < expected or (newest and hash_of(newest) ~= ARGV[3]) then return {"diverged", now} end

-- If this clock fell, time stands still at the newest event, or at what came before in another
-- stream, until the clock has come so far again.
local at = time_of(ARGV[#ARGV - 2])
local newest_at = newest and time_of(field(newest, "e")) or 0
local tolerance = tonumber(ARGV[9])
if at > math.max(now, newest_at, tonumber(ARGV[15])) + tolerance or at < now - tolerance then return {"off", now} end

local parts = tonumber(ARGV[19])
local rest = #KEYS - parts -- behind it are those of who has part
for i = rest + 1, #KEYS do
  if redis.call("GET", KEYS[i]) == "bot" then return {"program", now} end
end

redis.call("HLEN", KEYS[10]) -- or fail now: nothing may fail between the writes
if strange then redis.call("RENAME", KEYS[1], KEYS[12]) end
if ARGV[10] ~= "" then
  redis.call("DEL", KEYS[4])
  redis.call("SREM", KEYS[13], ARGV[1])
end
if ARGV[11] ~= "" then redis.call("HSET", KEYS[2], "salt", ARGV[11], "chance_seed", ARGV[12]) end
local told, fields = tonumber(ARGV[17]), tonumber(ARGV[20])
for i = 21, 20 + fields, 2 do redis.call("HSET", KEYS[12], ARGV[i], ARGV[i + 1]) end
for n = 1, parts do redis.call("SET", KEYS[rest + n], ARGV[20 + fields + n]) end
local index = {}
if ARGV[14] ~= "" then index = {ARGV[14], seq + 1} end
local notices = 21 + fields + parts
local lows = notices + 3 * told
local first_event = lows + 2 * tonumber(ARGV[18])
for i = first_event, #ARGV, 3 do
  seq = seq + 1
  if ARGV[13] ~= "" then
    index[#index + 1] = "h" .. string.sub(ARGV[i + 1], 33, 40)
    index[#index + 1] = seq
  end
  local id = string.format("%d-0", seq)
  if ARGV[i + 2] == "" then
    redis.call("XADD", KEYS[1], id, "e", ARGV[i], "p", ARGV[i + 1])
  else
    redis.call("XADD", KEYS[1], id, "e", ARGV[i], "p", ARGV[i + 1], "r", ARGV[i + 2])
  end
end
if #index > 0 then redis.call("HSET", KEYS[10], unpack(index)) end

if ARGV[5] ~= "" then redis.call("ZADD", KEYS[5], ARGV[5], ARGV[1])
else redis.call("ZREM", KEYS[5], ARGV[1]) end
if ARGV[6] ~= "" then redis.call("ZADD", KEYS[6], ARGV[6], ARGV[1])
else redis.call("ZREM", KEYS[6], ARGV[1]) end
if ARGV[7] ~= "" then list(KEYS[7], KEYS[8], ARGV[1], ARGV[7]) end
if ARGV[16] ~= "" then ask(KEYS[7], KEYS[11], ARGV[1], ARGV[16]) end
local head = string.sub(ARGV[#ARGV - 1], 33, 40) -- HEAD_BYTES of the newest hash
local wake = {"MAXLEN", "~", ARGV[8], "*", "g", ARGV[1], "v", seq, "h", head}
for i = lows, first_event - 1, 2 do
  if ARGV[i + 1] == "" then redis.pcall("ZREM", KEYS[rest - told - 1], ARGV[i])
  else redis.pcall("ZADD", KEYS[rest - told - 1], ARGV[i + 1], ARGV[i]) end
end
local listening = {}
for n = 1, told do
  local i = notices + 3 * (n - 1)
  local is_heard = tell(KEYS[rest - told + n], KEYS[rest - told], ARGV[i], now, ARGV[i + 1], ARGV[i + 2])
  if is_heard then listening[#listening + 1] = ARGV[i] end
end
if #listening > 0 then wake[#wake + 1], wake[#wake + 2] = "p", table.concat(listening, " ") end
redis.call("XADD", KEYS[9], unpack(wake))
return {"done", now}
