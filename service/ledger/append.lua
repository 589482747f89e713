-- Append one batch of events to a game's stream, or return why not. All reads and checks come first,
-- because a script does not roll back.
--
-- KEYS and ARGV are read in order, as the local names below; groups of varying size begin with their
-- number of members.
--
-- KEYS  events, secrets, tombstone, damage, due, deadlines, lows, lists, listed, asked, tail, index;
--       then, if needed: the hash of the fields; the place for a damaged stream, and damaged games; if the
--       batch creates the game, the hashes in which it is if it is in a pack
-- ARGV  the game: id, expected seq, expected hash; maximum number of missed events to return
--       its obligations: when it is due (ms, "" = not due), deadline (ms, "" = none)
--       its entry in the lists, its entries for asked players (JSON, "" = as before)
--       length of the tail; notices for players (JSON, "" = none); "1" if the batch closes a table that
--       waits for a beacon
--       tolerance of the batch's time against the server's (ms), time of the batch before it, and
--       deadline of the append (ms, "" = none)
--       "1" if an operator ends a damaged game by this batch
--       salt, chance seed, the field of the game in these hashes ("" unless the batch creates the game)
--       field of the index for the request ("" = none), "1" if the index is to find events by their hash
--       then groups: fields of the table: name, value; low clocks: member, time ("" = remove it);
--       events: record, proofs, retry
-- Answers {outcome, now} with now in ms, and with "behind" also the missed entries. The outcome is done,
--   behind, answered, diverged, gone, damaged, or off (the batch's time is not the server's: stamp it again)
local function reader(words)
  local at = 0
  return function()
    at = at + 1
    return words[at]
  end
end
local key, word = reader(KEYS), reader(ARGV)

-- Read a group whose members have SIZE words each.
local function group(size)
  local members = {}
  for n = 1, tonumber(word()) do
    local member = {}
    for i = 1, size do member[i] = word() end
    members[n] = member
  end
  return members
end

local events_key, secrets_key, tombstone_key, damage_key = key(), key(), key(), key()
local due_key, deadlines_key, lows_key = key(), key(), key()
local lists_key, listed_key, asked_key = key(), key(), key()
local tail_key, index_key = key(), key()
local id, expected, expected_hash, most_missed = word(), tonumber(word()), word(), word()
local due, deadline, listing, asked = word(), word(), word(), word()
local tail_length, notices, closes = word(), word(), word() ~= ""
local tolerance, since, until_at = tonumber(word()), tonumber(word()), word()
local ends_damaged = word() ~= ""
local salt, chance_seed, packed = word(), word(), word()
local request, seen = word(), word() ~= ""
local fields, lows, events = group(2), group(2), group(3)
local fields_key = #fields > 0 and key()
local aside_key, damaged_key
if ends_damaged then aside_key, damaged_key = key(), key() end
local packed_key = packed ~= "" and key()

local function field(entry, name)
  for i = 1, #entry[2], 2 do
    if entry[2][i] == name then return entry[2][i + 1] end
  end
  return ""
end

local function hash_of(entry) return string.sub(field(entry, "p"), 33) end

local function seq_of(id) return tonumber(string.match(id, "^%d+")) end

-- The time in a record, in ms since 1970; 0 if it has none.
local function time_of(record)
  local year, month, day, hour, minute, second, ms =
    string.match(record, '"t":"(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)%.(%d+)Z"')
  if not year then return 0 end
  year, month = tonumber(year), tonumber(month)
  if month < 3 then year, month = year - 1, month + 12 end -- so that leap days end the year
  local leap_days = math.floor(year / 4) - math.floor(year / 100) + math.floor(year / 400)
  local days = 365 * year + leap_days + math.floor((153 * (month - 3) + 2) / 5) + day - 719469
  return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + ms
end

local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if redis.call("EXISTS", tombstone_key) == 1 then return {"gone", now} end
while packed_key do
  if redis.call("HEXISTS", packed_key, packed) == 1 then return {"gone", now} end
  packed_key = key()
end

-- SEQ also counts events that were removed from the end; a key that is no stream counts as one event.
local info = redis.pcall("XINFO", "STREAM", events_key)
local strange = info.err and redis.call("EXISTS", events_key) == 1
local newest = not info.err and field({events_key, info}, "last-entry")
local held = newest and seq_of(newest[1]) or 0
local seq = held
if strange then seq = 1
elseif not info.err then seq = seq_of(field({events_key, info}, "last-generated-id")) end
local sealed = salt ~= "" or held == 0 or redis.call("EXISTS", secrets_key) == 1 -- else its events cannot be sealed
local damaged = seq > held or not sealed or redis.call("EXISTS", damage_key) == 1
if damaged and not ends_damaged then return {"damaged", now} end

if request ~= "" then
  local first = redis.call("HGET", index_key, request)
  local found = first and redis.call("XRANGE", events_key, first .. "-0", first .. "-0")[1]
  -- After a rewind, the stream may have another event there, or none.
  if found and "r" .. string.sub(field(found, "r"), 1, #request - 1) == request then
    return {"answered", now, {found}}
  end
end
if seq > expected then
  if expected > 0 then
    local base = redis.call("XRANGE", events_key, expected .. "-0", expected .. "-0")[1]
    if not base or hash_of(base) ~= expected_hash then return {"diverged", now} end
  end
  local from = string.format("%d-0", expected + 1)
  return {"behind", now, redis.call("XRANGE", events_key, from, "+", "COUNT", most_missed)}
end
if seq < expected or (newest and hash_of(newest) ~= expected_hash) then return {"diverged", now} end

-- If the clock was set back, the batch may have the time of the newest event, or of the batch before
-- it in another stream, until the clock has caught up.
local at = time_of(events[#events][1])
local newest_at = newest and time_of(field(newest, "e")) or 0
if at > math.max(now, newest_at, since) + tolerance or at < now - tolerance then return {"off", now} end
if until_at ~= "" and now > tonumber(until_at) then return {"off", now} end

redis.call("HLEN", index_key) -- fails here if the key has another type: later writes must not fail
if strange then redis.call("RENAME", events_key, aside_key) end
if ends_damaged then
  redis.call("DEL", damage_key)
  redis.call("SREM", damaged_key, id)
end
if salt ~= "" then redis.call("HSET", secrets_key, "salt", salt, "chance_seed", chance_seed) end
for _, kept in ipairs(fields) do redis.call("HSET", fields_key, kept[1], kept[2]) end
local index = {}
if request ~= "" then index = {request, seq + 1} end
for _, event in ipairs(events) do
  local record, proofs, retry = event[1], event[2], event[3]
  seq = seq + 1
  if seen then
    index[#index + 1] = "h" .. string.sub(proofs, 33, 40)
    index[#index + 1] = seq
  end
  local place = string.format("%d-0", seq)
  if retry == "" then redis.call("XADD", events_key, place, "e", record, "p", proofs)
  else redis.call("XADD", events_key, place, "e", record, "p", proofs, "r", retry) end
end
if #index > 0 then redis.call("HSET", index_key, unpack(index)) end

local function owe(key, at)
  if at ~= "" then redis.call("ZADD", key, at, id) else redis.call("ZREM", key, id) end
end
owe(due_key, due)
owe(deadlines_key, deadline)
if listing ~= "" then list(lists_key, listed_key, id, listing) end
if asked ~= "" then ask(lists_key, asked_key, id, asked) end
for _, low in ipairs(lows) do
  if low[2] == "" then redis.pcall("ZREM", lows_key, low[1])
  else redis.pcall("ZADD", lows_key, low[2], low[1]) end
end
local head = string.sub(events[#events][2], 33, 40) -- HEAD_BYTES of the newest hash
local moved = {"MAXLEN", "~", tail_length, "*", "g", id, "v", seq, "h", head}
if notices ~= "" then moved[#moved + 1], moved[#moved + 2] = "n", notices end
if closes then moved[#moved + 1], moved[#moved + 2] = "c", 1 end
redis.call("XADD", tail_key, unpack(moved))
return {"done", now}
