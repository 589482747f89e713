-- Functions of scripts that know which streams are in packs (service/ledger/places.py).

-- Return the place of a stream by its FIELD in the hashes from KEYS[first] on, or nil.
local function place_of(first, field)
  for level = first, #KEYS do
    local known = redis.call("HGET", KEYS[level], field)
    if known then return known end
  end
end

-- Whether a stream ends with the event VERSION, whose hash is HEAD.
local function ends_with(events, version, head)
  local newest = redis.pcall("XREVRANGE", events, "+", "-", "COUNT", 1)
  if newest.err or not newest[1] or newest[1][1] ~= version .. "-0" then return false end
  local words = newest[1][2]
  for i = 1, #words, 2 do
    if words[i] == "p" then return string.sub(words[i + 1], 33) == head end
  end
  return false
end

