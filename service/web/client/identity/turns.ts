/**
 * The games that wait for this player. Their number stands before the title of the page. If the
 * player has enabled it, a notification is shown while the page is not visible.
 */

import { effect, signal } from "@preact/signals";
import { told } from "../api/client.ts";
import { identity } from "../browser/identity.ts";
import { go } from "../browser/router.ts";
import { api } from "../browser/service.ts";
import { settings } from "../browser/settings.ts";
import { chime } from "../browser/sound.ts";
import { phrases } from "../phrases/phrases.ts";
import { revealAll } from "./entropy.ts";

/** How often the list of waiting games is read; an open table knows at once that it waits. */
const EVERY_MS = 30_000;
const MOST = 100;

export const waiting = signal<ReadonlySet<string>>(new Set());
let whose: string | null = null;

async function ask(): Promise<void> {
  const player = identity.peek()?.id ?? null;
  if (player === null) {
    whose = null;
    waiting.value = new Set();
    return;
  }
  const query = { player: "me", asked: "true" as const, limit: MOST };
  const { games } = await told(api.GET("/v1/games", { params: { query } }));
  const found = new Set(games.map(({ id }) => id));
  // For games that waited already when the page was opened, there is no notification.
  if (whose === player) for (const id of found) if (!waiting.peek().has(id)) call(id);
  whose = player;
  waiting.value = found;
}

/** An open table calls this to report whether it waits for the player. */
export function waits(game: string, asked: boolean): void {
  const known = waiting.peek();
  if (known.has(game) === asked) return;
  const now = new Set(known);
  if (asked) {
    now.add(game);
    call(game);
  } else now.delete(game);
  waiting.value = now;
}

/** Notifies a player who does not see the page, if sounds or notifications are enabled. */
function call(game: string): void {
  if (document.visibilityState === "visible") return;
  if (settings.peek().sound) chime();
  if (settings.peek().notify) notify(game);
}

function notify(game: string): void {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const shown = new Notification(phrases.peek().turnTitle, { body: "Lonja", tag: game });
  shown.onclick = () => {
    focus();
    go(`/games/${game}`);
    shown.close();
  };
}

/** Begins to read the list, and keeps the number before the title up to date, in any room. */
export function watchTurns(): void {
  const askAgain = () => {
    void ask().catch(() => {}); // after an error, the list is soon read again
    void revealAll().catch(() => {});
  };
  effect(() => {
    void identity.value?.id;
    askAgain();
  });
  setInterval(askAgain, EVERY_MS);
  addEventListener("visibilitychange", askAgain);
  effect(() => {
    const count = waiting.value.size;
    number(count);
    // the page has a badge only if it is installed as an app
    if ("setAppBadge" in navigator) navigator.setAppBadge(count).catch(() => {});
  });
  const title = document.querySelector("title");
  if (title)
    new MutationObserver(() => number(waiting.peek().size)).observe(title, { childList: true });
}

function number(count: number): void {
  const plain = document.title.replace(/^\(\d+\) /, "");
  const wanted = count > 0 ? `(${count}) ${plain}` : plain;
  if (document.title !== wanted) document.title = wanted;
}
