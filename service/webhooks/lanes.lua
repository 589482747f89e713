-- Begins each script of the webhooks' lanes: see service/webhooks/lanes.py.
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function queue(lane, group) return lane .. ":" .. group end

-- Have a webhook be tried at a time (ms), when it is its group's turn.
local function put(lane, group, id, at)
  redis.call("ZADD", queue(lane, group), at, id)
  local turn, known = math.max(at, now), redis.call("ZSCORE", lane, group)
  if not known or tonumber(known) > turn then redis.call("ZADD", lane, turn, group) end
end

-- Return in which of both lanes a webhook is, and at which time; nothing if it is in none.
local function find(quick, slow, group, id)
  for _, lane in ipairs({quick, slow}) do
    local at = redis.call("ZSCORE", queue(lane, group), id)
    if at then return lane, tonumber(at) end
  end
end

-- Return the lane in which a webhook belongs by its state: the slow one, unless it has answered quickly.
local function lane_of(quick, slow, state)
  return redis.call("HGET", state, "slow") == "0" and quick or slow
end
