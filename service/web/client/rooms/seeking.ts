/**
 * The seeks of the player of this browser. While one waits, the page keeps the player present, in
 * whatever room; when it has found its game, the page goes there.
 */

import { signal } from "@preact/signals";
import { once, pause, type Schemas, told } from "../api/client.ts";
import { go, path } from "../browser/router.ts";
import { api, service } from "../browser/service.ts";
import { somebody } from "../identity/signing.ts";

export type Seek = Schemas["Seek"];
export type OwnSeek = Schemas["OwnSeek"];

/** The pause after which a stream is opened again, and the seeks are looked at. */
const EVERY_MS = 3_000;

/** The player's seeks that wait, or that were refused or have ended; those with a game are gone. */
export const sought = signal<readonly OwnSeek[]>([]);
let watching = false;

/** Seek others; `name` is for a player who has none yet. */
export async function seek(body: Schemas["SeekRequest"], name: string): Promise<void> {
  await somebody(name);
  take(await told(api.POST("/v1/seeks", { body, params: { header: once() } })));
}

/** Show the seeks that wait, for example after the page was loaded again. */
export async function readOwn(): Promise<void> {
  const { seeks } = await told(api.GET("/v1/seeks", { params: { query: { player: "me" } } }));
  await Promise.all(seeks.map(({ id }) => look(id)));
}

export async function cancel(id: string): Promise<void> {
  const params = { path: { seek_id: id }, header: once() };
  const { response } = await api.DELETE("/v1/seeks/{seek_id}", { params });
  if (response.ok || response.status === 404) forget(id);
  else await look(id); // it has just found its game
}

/** Show an ended seek no more. */
export function forget(id: string): void {
  sought.value = sought.value.filter((one) => one.id !== id);
}

async function look(id: string): Promise<void> {
  take(await told(api.GET("/v1/seeks/{seek_id}", { params: { path: { seek_id: id } } })));
}

function take(found: OwnSeek): void {
  const others = sought.value.filter(({ id }) => id !== found.id);
  if (found.game !== null) {
    sought.value = others.filter(({ status }) => status !== "waiting"); // they are cancelled, too
    if (!path.peek().startsWith("/games/")) go(`/games/${found.game}`);
    return;
  }
  if (found.status === "cancelled") return forget(found.id);
  sought.value = [...others, found].sort((one, other) => (one.since < other.since ? -1 : 1));
  if (found.status === "waiting") void watch();
}

const waiting = () => sought.peek().filter(({ status }) => status === "waiting");

/** Look at the seeks as long as one waits. */
async function watch(): Promise<void> {
  if (watching) return;
  watching = true;
  while (waiting().length > 0) {
    await listen().catch(() => {}); // without a stream, it is looked every few seconds
    await pause(EVERY_MS);
    await lookAtAll();
  }
  watching = false;
}

const lookAtAll = () => Promise.all(waiting().map(({ id }) => look(id).catch(() => {})));

/**
 * Keep a stream of notices open while a seek waits. Each piece, a notice or a sign of life, is an
 * occasion to look: timers of a page that nobody sees are late.
 */
async function listen(): Promise<void> {
  const stop = new AbortController();
  const { body } = await fetch(`${service.url}/v1/players/me/stream`, {
    headers: { ...service.headers(), Accept: "text/event-stream" },
    signal: stop.signal,
    cache: "no-store",
  });
  const reader = body?.getReader();
  try {
    while (reader && waiting().length > 0 && !(await reader.read()).done) await lookAtAll();
  } finally {
    stop.abort();
  }
}
