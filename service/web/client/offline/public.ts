/**
 * What anybody may read of finished games and of rulesets is stored when somebody has opened it,
 * for a replay without a network. Nothing that a key or an invitation opened is stored: what was
 * requested with one is requested once more without.
 */

const CACHE = "public";
const GAME = /^\/v1\/games\/([^/]+)(\/(log|events|record|scores|analysis))?$/;
const RULESETS = /^\/v1\/rulesets(\/[^/]+(\/(board|labels|rules|renderer|picture|first_game))?)?$/;
const PRIVATE = ["Authorization", "Invitation"];
/** The statuses of a game that the caller may not read, or not any more. */
const GONE = new Set([403, 404, 410]);
const MAX_GAMES = 50;
const MAX_DOCUMENTS = 200;
/** The greatest number of events of a game that is stored whole. */
const MAX_EVENTS = 1000;
/** The bytes that this browser may hold for the site before no more pages of events are asked for. */
const MAX_BYTES = 50e6;
/** The status of an answer that was stored, and does not come from the service now. */
const NON_AUTHORITATIVE = 203;
const HEADERS = ["Content-Type", "Content-Language", "ETag", "Link"];

/** The games that are being stored: each promise says whether the game is stored. */
const storing = new Map<string, Promise<boolean>>();
/** The games whose other pages of events are being asked for. */
const completing = new Set<string>();

export function isPublic(request: Request, { pathname }: URL): boolean {
  if (request.headers.get("Accept")?.includes("text/event-stream")) return false;
  return GAME.test(pathname) || RULESETS.test(pathname);
}

/** The service's answer, which is stored if anybody may read it; else what is stored. */
export async function answered(event: FetchEvent, url: URL): Promise<Response> {
  const { request } = event;
  const key = keyOf(request, url);
  try {
    const response = await fetch(request);
    if (response.ok) event.waitUntil(keep({ request, response: response.clone(), key }, url));
    else if (GONE.has(response.status)) event.waitUntil(dropGone(url));
    return response;
  } catch (error) {
    const found = await stored(key);
    if (found === undefined) throw error;
    return found;
  }
}

/** A request that was answered, and `key`, the same request as anybody could make it. */
interface Answered {
  readonly request: Request;
  readonly response: Response;
  readonly key: Request;
}

/** The request that anybody could make: it has a language, and no credentials. */
function keyOf(request: Request, { href }: URL): Request {
  const language = request.headers.get("Accept-Language") ?? "";
  return new Request(href, { headers: { "Accept-Language": language }, credentials: "omit" });
}

/** In the language of the request, or else in another one. */
async function stored(key: Request): Promise<Response | undefined> {
  const cache = await caches.open(CACHE);
  return (await cache.match(key)) ?? cache.match(key, { ignoreVary: true });
}

async function keep(asked: Answered, url: URL): Promise<void> {
  const [, game, part] = GAME.exec(url.pathname) ?? [];
  if (game === undefined) return keepDocument(asked, url);
  if (part === undefined) {
    const isStored = keepGame(asked, game);
    storing.set(game, isStored);
    await isStored.finally(() => storing.delete(game));
  } else if ((await storing.get(game)) ?? (await isKept(game))) {
    await put(asked.key, await open(asked));
    if (part !== "/events" || completing.has(game)) return;
    completing.add(game);
    await keepOtherPages(asked.key, game, url).finally(() => completing.delete(game));
  }
}

/** The answer that anybody gets. */
async function open({ request, response, key }: Answered): Promise<Response> {
  return PRIVATE.some((name) => request.headers.has(name)) ? fetch(key) : response;
}

/** Stores a game if it is over and public; returns whether it is stored. */
async function keepGame(asked: Answered, game: string): Promise<boolean> {
  const { status } = await asked.response.clone().json();
  if (status !== "ended" && status !== "aborted") return false;
  const response = await open(asked);
  if (GONE.has(response.status)) await drop((url) => gameIn(url) === game);
  await put(asked.key, response);
  await dropOldest();
  return isKept(game);
}

async function dropGone({ href }: URL): Promise<void> {
  const game = gameIn(href);
  if (game !== undefined) await drop((url) => gameIn(url) === game);
}

/**
 * Stores a document of a ruleset, unless it is stored already: one with a digest in its address never
 * changes, and another one has changed if its ETag has.
 */
async function keepDocument(asked: Answered, url: URL): Promise<void> {
  const cache = await caches.open(CACHE);
  const known = await cache.match(asked.key);
  const [before, now] = [known, asked.response].map((one) => one?.headers.get("ETag") ?? null);
  if (known && (url.searchParams.has("digest") || (now !== null && now === before))) return;
  await put(asked.key, await open(asked));
  const documents = (await cache.keys()).filter(({ url }) => gameIn(url) === undefined);
  await Promise.all(documents.slice(0, -MAX_DOCUMENTS).map((oldest) => cache.delete(oldest)));
}

/** Stores the pages of events before and after the one with this address. */
async function keepOtherPages(key: Request, game: string, url: URL): Promise<void> {
  const limit = Number(url.searchParams.get("limit"));
  const known = await stored(new Request(`/v1/games/${game}`, { headers: key.headers }));
  if (!(limit > 0) || known === undefined) return;
  const { version } = await known.json();
  if (version > MAX_EVENTS) return;
  const first = Number(url.searchParams.get("after")) % limit;
  for (let after = first; after < version; after += limit) {
    const other = url.href.replace(/([?&]after=)\d+/, `$1${after}`);
    const page = new Request(other, { headers: key.headers, credentials: "omit" });
    const cache = await caches.open(CACHE);
    if ((await cache.match(page)) !== undefined) continue;
    const { usage = 0 } = (await navigator.storage?.estimate()) ?? {};
    if (usage > MAX_BYTES) return;
    const response = await fetch(page);
    if (!response.ok) return; // the service has no time for this now
    await put(page, response);
  }
}

/** Stores an answer under its address and language. */
async function put(key: Request, response: Response): Promise<void> {
  if (!response.ok) return;
  const headers = new Headers({ Vary: "Accept-Language" });
  for (const name of HEADERS) {
    const value = response.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const cache = await caches.open(CACHE);
  await cache.put(key, new Response(await response.blob(), { status: NON_AUTHORITATIVE, headers }));
}

const gameIn = (url: string) => GAME.exec(new URL(url).pathname)?.[1];

async function isKept(game: string): Promise<boolean> {
  const cache = await caches.open(CACHE);
  return (await cache.match(`/v1/games/${game}`, { ignoreVary: true })) !== undefined;
}

/** Drops the games that were not opened for the longest time. */
async function dropOldest(): Promise<void> {
  const cache = await caches.open(CACHE);
  const games = (await cache.keys()).map(({ url }) => new URL(url).pathname).filter(isGame);
  const oldest = new Set([...new Set(games)].slice(0, -MAX_GAMES).map((path) => path.slice(10)));
  if (oldest.size > 0) await drop((url) => oldest.has(gameIn(url) ?? ""));
}

const isGame = (path: string) => GAME.exec(path)?.[2] === undefined && GAME.test(path);

async function drop(isDropped: (url: string) => boolean): Promise<void> {
  const cache = await caches.open(CACHE);
  const dropped = (await cache.keys()).filter(({ url }) => isDropped(url));
  await Promise.all(dropped.map((key) => cache.delete(key)));
}
