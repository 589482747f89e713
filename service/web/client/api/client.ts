/** The public API, typed by openapi.yaml: these pages use nothing else. */

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

/** The body of an answer; throws `Refusal` with the problem if the request failed. */
export async function told<T>(
  answer: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await answer;
  if (response.ok) return data as T;
  throw Refusal.of(error, response);
}

/** A key for a request that changes something: a repetition gets the first answer. */
export function once(): { "Idempotency-Key": string } {
  return { "Idempotency-Key": newId() };
}

/** A random id; `randomUUID` exists only on https and localhost. */
export function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

const TRIES = 8;
const BUSY = new Set([429, 502, 503, 504]);

/**
 * Repeat a request until it is answered: a read, or one with an Idempotency-Key. Lost requests are
 * repeated after 0.2, 0.4, … seconds, rate-limited ones when the answer says.
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
      // fetch throws it without an answer
      if (!(error instanceof TypeError) || !repeatable || tries === TRIES) throw error;
      await pause(100 * 2 ** tries);
    }
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
