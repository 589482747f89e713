-- Say what is in the place of a stream that ends with this hash: "here", or "other".
local function in_place(events, head)
  local newest = redis.pcall("XREVRANGE", events, "+", "-", "COUNT", 1)
  if newest.err or not newest[1] then return "other" end
  local words = newest[1][2]
  for i = 1, #words, 2 do
    if words[i] == "p" and string.sub(words[i + 1], 33) == head then return "here" end
  end
  return "other"
end

