/** The public API, typed by openapi.yaml: nothing else is behind these pages. */

import createClient, { type Middleware } from "openapi-fetch";
import { identity, keyLost } from "../browser/identity.ts";
import { invitation } from "../browser/invitation.ts";
import { language } from "../browser/language.ts";
import { Refusal } from "./problem.ts";
import type { components, paths } from "./schema.d.ts";

export type Schemas = components["schemas"];

const asked: Middleware = {
  onRequest({ request }) {
    request.headers.set("Accept-Language", language.peek());
    const key = identity.peek()?.key;
    if (key !== undefined && !request.headers.has("Authorization"))
      request.headers.set("Authorization", `Bearer ${key}`);
    const token = invitation.peek();
    if (token !== null) request.headers.set("Invitation", token);
  },
  async onResponse({ request, response }) {
    const own = `Bearer ${identity.peek()?.key}`;
    if (response.status !== 401 || request.headers.get("Authorization") !== own) return;
    const problem = (await response.clone().json()) as { code?: string };
    if (problem.code === "unknown_key" || problem.code === "key_expired") keyLost.value = true;
  },
};

export const api = createClient<paths>({
  baseUrl: location.origin,
  fetch: persistent,
  querySerializer: { array: { style: "form", explode: false } },
});
api.use(asked);

/** The body of an answer; throws `Refusal` with the problem if there is none. */
export async function told<T>(
  answer: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await answer;
  if (response.ok) return data as T;
  throw Refusal.of(error, response);
}

/** A key for a request that changes something: whoever sends it again gets the answer of the first time. */
export function once(): { "Idempotency-Key": string } {
  return { "Idempotency-Key": newId() };
}

/** A random id; `randomUUID` is there on https and localhost alone. */
export function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

const TRIES = 8;
const BUSY = new Set([429, 502, 503, 504]);

/**
 * Send a request again until it is answered: one that reads, or that has an Idempotency-Key. What is
 * lost is tried again after 0.2, 0.4, … seconds, what is refused as too much when the answer says.
 */
async function persistent(request: Request): Promise<Response> {
  const repeatable = request.method === "GET" || request.headers.has("Idempotency-Key");
  for (let tries = 1; ; tries++) {
    const copy = request.clone();
    try {
      const response = await fetch(copy);
      if (!repeatable || !BUSY.has(response.status) || tries === TRIES) return response;
      await pause(1000 * Math.min(Number(response.headers.get("Retry-After")) || tries, 30));
    } catch (error) {
      if (!(error instanceof TypeError) || !repeatable || tries === TRIES) throw error; // what fetch throws when nobody answers
      await pause(100 * 2 ** tries);
    }
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
