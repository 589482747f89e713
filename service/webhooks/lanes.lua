-- Common beginning of the scripts for the webhooks' lanes: see service/webhooks/lanes.py.
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function queue(lane, group) return lane .. ":" .. group end

-- Schedule a webhook for a time (ms), when it is its group's turn.
local function put(lane, group, id, at)
  redis.call("ZADD", queue(lane, group), at, id)
  local turn, known = math.max(at, now), redis.call("ZSCORE", lane, group)
  if not known or tonumber(known) > turn then redis.call("ZADD", lane, turn, group) end
end

-- Return the lane of a webhook, and its time there; nothing if it is in neither lane.
local function find(quick, slow, group, id)
  for _, lane in ipairs({quick, slow}) do
    local at = redis.call("ZSCORE", queue(lane, group), id)
    if at then return lane, tonumber(at) end
  end
end

-- Return the lane for a webhook by its state: quick if its field "slow" is "0", else slow.
local function lane_of(quick, slow, state)
  return redis.call("HGET", state, "slow") == "0" and quick or slow
end
