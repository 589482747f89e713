-- Remove a stream from the lists.
local function unlist(lists, listed, id)
  local known = redis.call("HGET", listed, id)
  if known then
    for _, name in ipairs(cjson.decode(known).entries) do redis.call("ZREM", lists, name) end
  end
  redis.call("HDEL", listed, id)
end


-- Replace the entries of a stream in the lists by those of ENTRY (service/ledger/lists.py).
local function list(lists, listed, id, entry)
  unlist(lists, listed, id)
  for _, name in ipairs(cjson.decode(entry).entries) do redis.call("ZADD", lists, 0, name) end
  redis.call("HSET", listed, id, entry)
end


-- Replace the entries of a game for the players whom it waits for by ENTRIES (JSON).
local function ask(lists, asked, id, entries)
  local known = redis.call("HGET", asked, id)
  if known then
    for _, name in ipairs(cjson.decode(known)) do redis.call("ZREM", lists, name) end
  end
  if entries == "[]" then redis.call("HDEL", asked, id) return end
  for _, name in ipairs(cjson.decode(entries)) do redis.call("ZADD", lists, 0, name) end
  redis.call("HSET", asked, id, entries)
end
