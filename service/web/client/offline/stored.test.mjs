// What the service worker stores, against a service and a storage that are only here.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, beforeEach, describe, test } from "node:test";

const PLACE = "https://lonja.test";
const PAGE = '<script src="/static/app/app.js?v=a1">';
const CHECK = "<title>Check</title>";

/** A browser's cache: the newest entry is its last. `full` is the address at which it has no room. */
class FakeCache {
  entries = new Map();
  full = null;

  #key(request) {
    const { url, headers } = typeof request === "string" ? {} : request;
    const language = headers?.get("Accept-Language") ?? "";
    return { url: new URL(url ?? request, PLACE).href, language };
  }

  async match(request, { ignoreVary = false } = {}) {
    const { url, language } = this.#key(request);
    const found = [...this.entries.values()].find(
      ({ key }) => key.url === url && (ignoreVary || key.language === language),
    );
    return found?.response.clone();
  }

  async put(request, response) {
    const key = this.#key(request);
    if (key.url === this.full) throw new Error("no room");
    const name = JSON.stringify(key);
    this.entries.delete(name);
    this.entries.set(name, { key, response });
  }

  async keys() {
    return [...this.entries.values()].map(({ key }) => ({
      url: key.url,
      headers: new Headers({ "Accept-Language": key.language }),
    }));
  }

  async delete(request) {
    return this.entries.delete(JSON.stringify(this.#key(request)));
  }
}

let known = new Map();
let asked = [];
/** What the service answers, by path. */
let service = () => new Response(null, { status: 404 });

const around = {
  caches: {
    open: async (name) => {
      if (!known.has(name)) known.set(name, new FakeCache());
      return known.get(name);
    },
    keys: async () => [...known.keys()],
    delete: async (name) => known.delete(name),
  },
  fetch: async (request) => {
    const { url, headers } = typeof request === "string" ? { url: request } : request;
    const { pathname, search } = new URL(url, PLACE);
    asked.push([pathname + search, headers?.get("Authorization") ?? null]);
    return service(pathname + search, headers);
  },
};
globalThis.VERSIONS = { "app.js": "a1", "kit.js": "k1" };
globalThis.RELEASE = "r1";
globalThis.CHECK_DIGEST = createHash("sha256").update(CHECK).digest("hex");

const { answered } = await import("./public.ts");
const { storeRelease } = await import("./release.ts");

/** Opens an address as a page does, and waits for all that the worker does then. */
async function open(path, headers = {}) {
  const doing = [];
  const url = new URL(path, PLACE);
  const request = new Request(url, { headers: { "Accept-Language": "en", ...headers } });
  const response = await answered({ request, waitUntil: (promise) => doing.push(promise) }, url);
  await Promise.all(doing);
  return response;
}

async function addresses(name = "public") {
  const found = (await known.get(name)?.keys()) ?? [];
  return found.map(({ url }) => url.replace(PLACE, ""));
}

const ended = () => Response.json({ status: "ended", version: 1 });
const game = (number) => `/v1/games/g${number}`;

const release = (path) => {
  if (path === "/lobby") return new Response(PAGE);
  if (path === "/verify.html") return new Response(CHECK);
  return new Response(path);
};

describe("the service worker", () => {
  const outside = { caches: globalThis.caches, fetch: globalThis.fetch };
  before(() => Object.assign(globalThis, around));
  after(() => Object.assign(globalThis, outside));
  beforeEach(() => {
    known = new Map();
    asked = [];
  });

  test("the last 50 finished games are stored, and games that go on are not", async () => {
    service = (path) => (path === game(99) ? Response.json({ status: "running" }) : ended());
    for (let number = 0; number < 50; number++) await open(game(number));
    await open(`${game(1)}/log?limit=9`);
    await open(game(0)); // again: now the other games are older
    await open(game(50));
    await open(game(99));
    const found = await addresses();
    assert.equal(found.length, 50);
    assert.deepEqual(
      [0, 1, 2, 50, 99].map((number) => found.includes(game(number))),
      [true, false, true, true, false],
    );
    assert.ok(!found.some((path) => path.startsWith(`${game(1)}/`)), "all of a game goes with it");
  });

  for (const status of [403, 404, 410])
    test(`a game that is answered with ${status} is stored no longer`, async () => {
      service = ended;
      for (const path of [game(1), `${game(1)}/log?limit=9`, game(2)]) await open(path);
      service = () => new Response(null, { status });
      await open(`${game(1)}/scores`);
      assert.deepEqual(await addresses(), [game(2)]);
    });

  test("a document that a key opens is asked for without the key when it is not the stored one", async () => {
    let etag = '"one"';
    service = () => Response.json({}, { headers: { ETag: etag } });
    const [key, path] = [{ Authorization: "Bearer k" }, "/v1/rulesets/pig"];
    const requests = async (path) => {
      asked = [];
      await open(path, key);
      return asked.map(([, credentials]) => credentials);
    };
    assert.deepEqual(await requests(path), ["Bearer k", null]);
    assert.deepEqual(await requests(path), ["Bearer k"]);
    etag = '"two"';
    assert.deepEqual(await requests(path), ["Bearer k", null]);
    assert.deepEqual(await requests(path), ["Bearer k"]);
    const digested = `${path}/board?digest=d`;
    assert.deepEqual(await requests(digested), ["Bearer k", null]);
    etag = '"three"'; // of another coding
    assert.deepEqual(await requests(digested), ["Bearer k"]);
  });

  test("a release is stored by the versions of its parts, and boards find the kit without one", async () => {
    service = release;
    await storeRelease();
    assert.ok(asked.every(([path]) => path !== "/static/app/kit.js"));
    const cache = known.get("release r1");
    assert.equal(await (await cache.match("/static/app/kit.js")).text(), "/static/app/kit.js?v=k1");
  });

  test("of a release that is not all there, nothing is stored", async () => {
    const others = { "/verify.html": "<title>Other</title>", "/lobby": "<title>Other</title>" };
    for (const [path, text] of Object.entries(others)) {
      service = (asked) => (asked === path ? new Response(text) : release(asked));
      await assert.rejects(storeRelease());
      assert.deepEqual(await addresses("release r1"), []);
    }
    service = release;
    (await caches.open("release r1")).full = `${PLACE}/verify.html`;
    await assert.rejects(storeRelease());
    assert.equal(known.has("release r1"), false);
  });
});
