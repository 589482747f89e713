-- Schedule the webhooks of players with new notices, and take some webhooks whose turn it is.
-- KEYS  players, webhooks of each, webhooks, waiting, quick, slow
-- ARGV  1 maximum of players  2 maximum of quick  3 maximum of slow  4 for how long they are taken (ms)
--       5 prefix of the keys of states  6 maximum at work of a group, then for each group with webhooks
--       at work: the group, how many in quick, how many in slow
-- Answers {now, until, taken of quick: id, group, …, taken of slow}; times in ms.
local told = redis.call("ZRANGEBYSCORE", KEYS[1], "(0", "+inf", "WITHSCORES", "LIMIT", 0, ARGV[1])
for i = 1, #told, 2 do
  for id in string.gmatch(redis.call("HGET", KEYS[2], told[i]) or "", "%S+") do
    local raw = redis.call("HGET", KEYS[3], id)
    if raw then
      local group = cjson.decode(raw).group or told[i]
      redis.call("ZADD", KEYS[4], "NX", told[i + 1], id)
      redis.call("HINCRBY", ARGV[5] .. id, "told", 1)
      if not find(KEYS[5], KEYS[6], group, id) then
        put(lane_of(KEYS[5], KEYS[6], ARGV[5] .. id), group, id, now)
      end
    end
  end
  redis.call("ZADD", KEYS[1], 0, told[i])
end

local ends = now + ARGV[4] + 0.5 -- a fraction of 0.5 marks a taken webhook
local most = tonumber(ARGV[6])

-- Groups take turns: the group served longest ago is next, and a newcomer comes first. A group at its
-- maximum keeps its place, and delays no other group.
local function take(lane, many, which)
  local at_work, full, taken = {}, 0, {}
  for i = 7, #ARGV, 3 do
    at_work[ARGV[i]] = tonumber(ARGV[i + which])
    if at_work[ARGV[i]] >= most then full = full + 1 end
  end
  local goes_on = true
  while many > 0 and goes_on do
    goes_on = false
    for _, group in ipairs(redis.call("ZRANGEBYSCORE", lane, "-inf", now, "LIMIT", 0, many + full)) do
      local busy = at_work[group] or 0
      if many > 0 and busy < most then
        goes_on = true
        local key = queue(lane, group)
        local id = redis.call("ZRANGEBYSCORE", key, "-inf", now, "LIMIT", 0, 1)[1]
        if id then
          redis.call("ZADD", key, ends, id)
          taken[#taken + 1], taken[#taken + 2] = id, group
          many, at_work[group] = many - 1, busy + 1
          if busy + 1 == most then full = full + 1 end
        end
        local first = redis.call("ZRANGE", key, 0, 0, "WITHSCORES")[2]
        if first then redis.call("ZADD", lane, math.max(first, now), group)
        else redis.call("ZREM", lane, group) end
      end
    end
  end
  return taken
end
return {now, tostring(ends), take(KEYS[5], tonumber(ARGV[2]), 1), take(KEYS[6], tonumber(ARGV[3]), 2)}
