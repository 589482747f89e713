/** Creating a player, and using the same player on another device. */

import { once, told } from "../api/client.ts";
import { codeOf } from "../api/problem.ts";
import { become, type Identity, identity } from "../browser/identity.ts";
import { language } from "../browser/language.ts";
import { api } from "../browser/service.ts";

/** Return the player of this browser; create one if there is none yet, with this name unless it is empty. */
export async function somebody(name: string): Promise<Identity> {
  const known = identity.peek();
  if (known) return known;
  const { id, name: called, key } = await made(name.trim() || guestName());
  const player = { id, name: called, key };
  become(player);
  return player;
}

/**
 * A player who has chosen no name gets a random one; names need not be unique, and can be changed.
 */
export function guestName(): string {
  return `${language.peek() === "es" ? "Invitado" : "Guest"} ${1000 + Math.floor(Math.random() * 9000)}`;
}

/** The service sends a key only once. If that answer was lost, create another player. */
async function made(name: string) {
  const ask = () => told(api.POST("/v1/players", { body: { name }, params: { header: once() } }));
  try {
    return await ask();
  } catch (error) {
    if (codeOf(error) !== "already_answered") throw error;
    return await ask();
  }
}

export async function rename(name: string): Promise<void> {
  const known = identity.peek();
  if (!known) return;
  const changed = await told(
    api.PATCH("/v1/players/me", { body: { name }, params: { header: once() } }),
  );
  become({ ...known, name: changed.name });
}

/** Declares, for good, that a program plays as this player; everybody sees it. */
export async function becomeProgram(): Promise<void> {
  await told(api.PATCH("/v1/players/me", { body: { kind: "bot" }, params: { header: once() } }));
}

/**
 * Creates a key for another device. This browser's key stays valid, and each of the two keys can
 * revoke the other.
 */
export async function anotherKey(name: string): Promise<string> {
  const made = await told(
    api.POST("/v1/players/me/keys", { body: { name, scope: "full" }, params: { header: once() } }),
  );
  return made.key;
}

/** Becomes the player with this key; throws if no player has it. */
export async function signIn(key: string): Promise<Identity> {
  const headers = { Authorization: `Bearer ${key.trim()}` };
  const { id, name } = await told(api.GET("/v1/players/me", { headers }));
  const player = { id, name, key: key.trim() };
  become(player);
  return player;
}
