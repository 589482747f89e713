-- Return "here" if the newest event of this stream has the hash HEAD, and "other" if not.
local function in_place(events, head)
  local newest = redis.pcall("XREVRANGE", events, "+", "-", "COUNT", 1)
  if newest.err or not newest[1] then return "other" end
  local words = newest[1][2]
  for i = 1, #words, 2 do
    if words[i] == "p" and string.sub(words[i + 1], 33) == head then return "here" end
  end
  return "other"
end

