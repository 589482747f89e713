-- Have the lists show a stream as ENTRY says (service/ledger/lists.py), and no longer as before.
local function list(lists, listed, id, entry)
  local known = redis.call("HGET", listed, id)
  if known then
    for _, name in ipairs(cjson.decode(known).entries) do redis.call("ZREM", lists, name) end
  end
  for _, name in ipairs(cjson.decode(entry).entries) do redis.call("ZADD", lists, 0, name) end
  redis.call("HSET", listed, id, entry)
end


-- Have the lists show a game as one that waits for people as ENTRIES (JSON) say, and no longer as before.
local function ask(lists, asked, id, entries)
  local known = redis.call("HGET", asked, id)
  if known then
    for _, name in ipairs(cjson.decode(known)) do redis.call("ZREM", lists, name) end
  end
  if entries == "[]" then redis.call("HDEL", asked, id) return end
  for _, name in ipairs(cjson.decode(entries)) do redis.call("ZADD", lists, 0, name) end
  redis.call("HSET", asked, id, entries)
end
