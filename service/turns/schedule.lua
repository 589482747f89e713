-- The schedule of a queue: one script, so that no two workers take one turn and none is lost.
--
-- The addresses of a ring take turns, and so do the owners of each address and the things of each owner.
-- An owner without a known address counts as an address of his own. The first ring goes first, except in
-- every GIVE_WAY-th turn: then the ring with the address that was served longest ago. In each circle, the
-- member served longest ago is next. So a newcomer goes first, and a member that returns has its former
-- place: it is remembered until all that wait there were served after it. An address is held, and not
-- served, while its budget is spent.
--
-- KEYS  1 asked (list of requests that are not read yet)  2 waiting (thing → number of turns)
--       3 counts  4 held (address → until, ms)
-- ARGV  1 "next", "leave" or "look"  2 prefix of keys shared by queues  3 prefix of this queue's keys
--       4 rings, by priority
--       next, leave: 5 owner served ("" for none)  6 processor time of the turn (µs)
--                    7 budget (µs, 0: none)  8 window (ms)  9 ring, owner and thing served, then 1 if it
--                    wants another turn, 0 if its waiting turns are to be dropped ("": neither)
--                    10 id of the request that asked for the turn served ("": none)
--       look: 5.. things
-- Answers
--   next   {until when the address is held (ms) if this turn spent its budget, or ""; then, if a turn
--          waits: ring, owner, thing, and the id of the last request for it, or ""}
--   leave  {until when, as in next; the number of turns that can be taken, at most MOST}
--   look   {the number of turns that can be taken, at most MOST; for each thing 1 if it waits}
local GIVE_WAY, MOST, READ = 8, 16, 1000
local NEWCOMER = -2^50 -- smaller than every place of a member that was served
local asked, waiting, counts, held = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local requests = ARGV[3] .. "requests" -- thing → id of the last request for it
local clock = redis.call("TIME")
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local rings = {}
for ring in string.gmatch(ARGV[4], "%S+") do rings[#rings + 1] = ring end

local function addresses_of(ring) return ARGV[3] .. "addresses:" .. ring end
local function owners_of(ring, address) return ARGV[3] .. "owners:" .. ring .. ":" .. address end
local function things_of(ring, owner) return ARGV[3] .. "things:" .. ring .. ":" .. owner end
local function behind(ring) return ARGV[3] .. "behind:" .. ring end -- owner → address under which he waits
local function served_of(circle) return circle .. ":served" end
local everywhere = {} -- the circle of addresses of each ring
for i, ring in ipairs(rings) do everywhere[i] = addresses_of(ring) end
local function place() return redis.call("HINCRBY", counts, "places", 1) end
local function address_of(owner) return redis.call("GET", ARGV[2] .. "address:" .. owner) or owner end

-- A circle is a sorted set of its waiting members, by the place at which each was served last.
local function join(circle, member)
  local served = redis.call("ZSCORE", served_of(circle), member)
  redis.call("ZADD", circle, "NX", served or NEWCOMER + place(), member)
end

-- Note in all of CIRCLES that a member was served; remove it from CIRCLE unless it stays.
local function pass(circle, member, stays, circles)
  local served, oldest = place(), nil
  if not stays then redis.call("ZREM", circle, member) end
  for _, one in ipairs(circles) do
    redis.call("ZADD", served_of(one), served, member)
    redis.call("ZADD", one, "XX", served, member)
    local first = redis.call("ZRANGE", one, 0, 0, "WITHSCORES")[2]
    if first and (not oldest or tonumber(first) < tonumber(oldest)) then oldest = first end
  end
  for _, one in ipairs(circles) do
    redis.call("ZREMRANGEBYSCORE", served_of(one), "-inf", oldest and "(" .. oldest or "+inf")
  end
end

-- Remove a member; return whether the circle is empty now.
local function quit(circle, member, circles)
  redis.call("ZREM", circle, member)
  if redis.call("EXISTS", unpack(circles)) == 0 then
    for _, one in ipairs(circles) do redis.call("DEL", served_of(one)) end
  end
  return redis.call("EXISTS", circle) == 0
end

local function enter(told)
  local ring, owner, thing, turns = string.match(told, "^(%S+) (%S+) (%S+) (%d+)$")
  local known = redis.call("HGET", waiting, thing)
  if not known then
    redis.call("HSETNX", behind(ring), owner, address_of(owner))
    local address = redis.call("HGET", behind(ring), owner)
    redis.call("ZADD", things_of(ring, owner), place(), thing)
    join(owners_of(ring, address), owner)
    join(addresses_of(ring), address)
  end
  if tonumber(known or 0) < tonumber(turns) then redis.call("HSET", waiting, thing, turns) end
end

local function drop(told)
  local ring, owner, thing = string.match(told, "^(%S+) (%S+) (%S+) %d+$")
  local address = redis.call("HGET", behind(ring), owner)
  redis.call("HDEL", waiting, thing)
  redis.call("HDEL", requests, thing)
  redis.call("ZREM", things_of(ring, owner), thing)
  if not address or redis.call("EXISTS", things_of(ring, owner)) == 1 then return end
  redis.call("HDEL", behind(ring), owner)
  local owners = owners_of(ring, address)
  if quit(owners, owner, {owners}) then quit(addresses_of(ring), address, everywhere) end
end

local function read()
  repeat
    local told = redis.call("LPOP", asked, READ) or {}
    for _, one in ipairs(told) do enter(one) end
  until #told < READ
end

local function charge(owner, spent, budget, window)
  if owner == "" or budget == 0 then return "" end
  local address = address_of(owner)
  local account = ARGV[2] .. "spent:" .. address
  local ends = (math.floor(now / window) + 1) * window
  local total = redis.call("INCRBY", account, spent)
  redis.call("PEXPIREAT", account, ends)
  if total < budget or total - spent >= budget then return "" end
  redis.call("ZADD", held, ends, address)
  return ends
end

-- Call a function with each member of a circle, in order, until it returns true.
local function each(circle, call)
  local at = 0
  while true do
    local member = redis.call("ZRANGE", circle, at, at)[1]
    if not member then return false end
    if call(member) then return true end
    at = at + 1
  end
end

-- Call a function with each owner and address of a ring, in order, without held addresses.
local function each_owner(ring, call)
  each(addresses_of(ring), function(address)
    if redis.call("ZSCORE", held, address) then return false end
    return each(owners_of(ring, address), function(owner) return call(owner, address) end)
  end)
end

local function take(ring)
  local taken
  each_owner(ring, function(owner, address)
    local things, owners = things_of(ring, owner), owners_of(ring, address)
    local thing = redis.call("ZRANGE", things, 0, 0)[1]
    if redis.call("HINCRBY", waiting, thing, -1) > 0 then redis.call("ZADD", things, place(), thing)
    else
      redis.call("HDEL", waiting, thing)
      redis.call("ZREM", things, thing)
    end
    local stays = redis.call("EXISTS", things) == 1
    if not stays then redis.call("HDEL", behind(ring), owner) end
    pass(owners, owner, stays, {owners})
    pass(addresses_of(ring), address, redis.call("EXISTS", owners) == 1, everywhere)
    taken = {ring, owner, thing, redis.call("HGET", requests, thing) or ""}
    redis.call("HDEL", requests, thing)
    return true
  end)
  return taken
end

-- Move the ring to the front whose first address was served longest ago; of equals, the last ring.
local function give_way()
  local longest, chosen
  for i = #rings, 1, -1 do
    each_owner(rings[i], function(_, address)
      local served = tonumber(redis.call("ZSCORE", addresses_of(rings[i]), address))
      if not longest or served < longest then longest, chosen = served, i end
      return true
    end)
  end
  if chosen then table.insert(rings, 1, table.remove(rings, chosen)) end
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
  for i = 5, #ARGV do answer[#answer + 1] = redis.call("HEXISTS", waiting, ARGV[i]) end
  return answer
end
local answer = {charge(ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]))}
local wants = string.match(ARGV[9], "%d+$")
if wants == "0" then drop(ARGV[9]) end -- before reading new requests
read()
if wants == "1" then
  enter(ARGV[9])
  if ARGV[10] ~= "" then redis.call("HSETNX", requests, string.match(ARGV[9], "^%S+ %S+ (%S+)"), ARGV[10]) end
end
if ARGV[1] == "leave" then
  answer[2] = ready()
  return answer
end
if redis.call("HINCRBY", counts, "turns", 1) % GIVE_WAY == 0 then give_way() end
for _, ring in ipairs(rings) do
  local taken = take(ring)
  if taken then
    for _, part in ipairs(taken) do answer[#answer + 1] = part end
    return answer
  end
end
return answer
