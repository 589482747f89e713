-- Who is next: one script, so that no two workers take one turn and none is lost between two steps.
--
-- Owners of a ring take turns, and so do the things of each owner. Of two rings the first goes
-- first, but gives way every GIVE_WAY-th time. Who was served longest ago is next, so a newcomer goes
-- first and who comes back goes where he was: owners that left the ring are remembered until all that
-- wait there were served after them. Nobody is served while held: the budget is spent.
--
-- KEYS  1 asked (list: what was asked for and not read yet)  2 waiting (thing → how many turns)
--       3 counts  4 held (owner → until, ms)
-- ARGV  1 "next", "leave" or "look"  2 prefix of the ring's keys  3 rings, the first first
--       next, leave: 4 owner served ("" for none)  5 microseconds it took  6 its account
--                    7 budget (µs, 0: none)  8 window (ms)  9 the thing served, with 1 turn that it wants
--                    or 0 if it wants none of those that it has ("": it wants no other)
--       look: 4.. things
-- Answers
--   next   {held until, ms, if the budget was spent just now, or ""; ring, owner, thing, if any}
--   leave  {the same; how many turns wait that may be taken, MOST at most}
--   look   {as many; for each thing 1 if it waits}
local GIVE_WAY, MOST, READ = 8, 16, 1000
local NEWCOMER = -2^50 -- before all places at which somebody was served
local asked, waiting, counts, held = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local clock = redis.call("TIME")
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local rings = {}
for ring in string.gmatch(ARGV[3], "%S+") do rings[#rings + 1] = ring end

local function owners_of(ring) return ARGV[2] .. "owners:" .. ring end
local function things_of(ring, owner) return ARGV[2] .. "things:" .. ring .. ":" .. owner end
local function served_of(ring) return ARGV[2] .. "served:" .. ring end
local function place() return redis.call("HINCRBY", counts, "places", 1) end

local function enter(told)
  local ring, owner, thing, turns = string.match(told, "^(%S+) (%S+) (%S+) (%d+)$")
  local known = redis.call("HGET", waiting, thing)
  if not known then
    local served = redis.call("ZSCORE", served_of(ring), owner)
    redis.call("ZADD", things_of(ring, owner), place(), thing)
    redis.call("ZADD", owners_of(ring), "NX", served or NEWCOMER + place(), owner)
  end
  if tonumber(known or 0) < tonumber(turns) then redis.call("HSET", waiting, thing, turns) end
end

local function drop(told)
  local ring, owner, thing = string.match(told, "^(%S+) (%S+) (%S+) %d+$")
  redis.call("HDEL", waiting, thing)
  redis.call("ZREM", things_of(ring, owner), thing)
  if redis.call("EXISTS", things_of(ring, owner)) == 0 then
    redis.call("ZREM", owners_of(ring), owner)
  end
end

local function read()
  repeat
    local told = redis.call("LPOP", asked, READ) or {}
    for _, one in ipairs(told) do enter(one) end
  until #told < READ
end

local function charge(owner, spent, account, budget, window)
  if owner == "" or budget == 0 then return "" end
  local ends = (math.floor(now / window) + 1) * window
  local total = redis.call("INCRBY", account, spent)
  redis.call("PEXPIREAT", account, ends)
  if total < budget or total - spent >= budget then return "" end
  redis.call("ZADD", held, ends, owner)
  return ends
end

-- The owners of a ring who are not held, in order; the function answers true to stop.
local function each_owner(ring, call)
  local at = 0
  while true do
    local owner = redis.call("ZRANGE", owners_of(ring), at, at)[1]
    if not owner then return end
    if redis.call("ZSCORE", held, owner) then at = at + 1
    elseif call(owner) then return
    else at = at + 1 end
  end
end

local function take(ring)
  local taken
  each_owner(ring, function(owner)
    local things = things_of(ring, owner)
    local thing = redis.call("ZRANGE", things, 0, 0)[1]
    if redis.call("HINCRBY", waiting, thing, -1) > 0 then redis.call("ZADD", things, place(), thing)
    else
      redis.call("HDEL", waiting, thing)
      redis.call("ZREM", things, thing)
    end
    local served = place()
    redis.call("ZADD", served_of(ring), served, owner)
    if redis.call("EXISTS", things) == 1 then redis.call("ZADD", owners_of(ring), served, owner)
    else redis.call("ZREM", owners_of(ring), owner) end
    local oldest = redis.call("ZRANGE", owners_of(ring), 0, 0, "WITHSCORES")[2]
    redis.call("ZREMRANGEBYSCORE", served_of(ring), "-inf", oldest and "(" .. oldest or "+inf")
    taken = {ring, owner, thing}
    return true
  end)
  return taken
end

local function ready()
  local found = 0
  for _, ring in ipairs(rings) do
    each_owner(ring, function(owner)
      for _, thing in ipairs(redis.call("ZRANGE", things_of(ring, owner), 0, MOST)) do
        found = found + tonumber(redis.call("HGET", waiting, thing) or 1)
      end
      return found >= MOST
    end)
  end
  return math.min(found, MOST)
end

redis.call("ZREMRANGEBYSCORE", held, "-inf", now)
if ARGV[1] == "look" then
  read()
  local answer = {ready()}
  for i = 4, #ARGV do answer[#answer + 1] = redis.call("HEXISTS", waiting, ARGV[i]) end
  return answer
end
local answer = {charge(ARGV[4], tonumber(ARGV[5]), ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8]))}
local wants = string.match(ARGV[9], "%d+$")
if wants == "0" then drop(ARGV[9]) end -- before what is asked for anew
read()
if wants == "1" then enter(ARGV[9]) end
if ARGV[1] == "leave" then
  answer[2] = ready()
  return answer
end
local first, last = 1, #rings
if redis.call("HINCRBY", counts, "turns", 1) % GIVE_WAY == 0 then first, last = #rings, 1 end
for i = first, last, first <= last and 1 or -1 do
  local taken = take(rings[i])
  if taken then
    for _, part in ipairs(taken) do answer[#answer + 1] = part end
    return answer
  end
end
return answer
