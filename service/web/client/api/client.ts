/** The public API of a service, typed by openapi.yaml. */

import createClient, { type Client, type Middleware } from "openapi-fetch";
import { isOffline, untilNextTry } from "./network.ts";
import { Refusal } from "./problem.ts";
import type { components, paths } from "./schema.d.ts";

export type Schemas = components["schemas"];

/** Credentials of a caller, who may read more than what is public. */
export interface Credentials {
  readonly key?: string | undefined;
  /** The token of an invitation to a private game. */
  readonly invitation?: string | undefined;
}

export interface Access {
  /** The address of the service, such as `https://lonja.example`. */
  readonly url: string;
  /** Called before each request for the caller's credentials. */
  readonly credentials?: () => Credentials;
  /** Called before each request for the language of the service's sentences. */
  readonly language?: () => string;
  /** Called when a request was answered, and when one was not, or is not for a second. */
  readonly onReached?: (answered: boolean) => void;
  /** Called when the service no longer accepts the key. */
  readonly onKeyLost?: () => void;
}

/** A client of a service that sends the credentials of one caller. */
export class Service {
  readonly url: string;
  readonly api: Client<paths>;
  readonly #access: Access;
  /** A key for one seat, if its game is over; it is no longer sent. */
  #over: string | undefined;

  constructor(access: Access) {
    this.#access = access;
    this.url = access.url.replace(/\/+$/, "");
    this.api = createClient<paths>({
      baseUrl: this.url,
      fetch: (request) => this.#persistent(request),
      querySerializer: { array: { style: "form", explode: false } },
    });
    this.api.use(this.#asked());
  }

  get language(): string {
    return this.#access.language?.() ?? "en";
  }

  /** The headers with the caller's credentials and language. */
  headers(): Record<string, string> {
    const { key, invitation } = this.#access.credentials?.() ?? {};
    return {
      "Accept-Language": this.language,
      ...(key === undefined || key === this.#over ? {} : { Authorization: `Bearer ${key}` }),
      ...(invitation === undefined ? {} : { Invitation: invitation }),
    };
  }

  /** Stops sending the present key, which is for one seat whose game is over. */
  drop(): void {
    this.#over = this.#access.credentials?.().key;
  }

  /**
   * Whether a refusal says that the key is for one seat whose game is over. Then later requests
   * omit the key.
   */
  letsGo(code: string | undefined): boolean {
    if (code !== "seat_key_over") return false;
    this.drop();
    return true;
  }

  /**
   * Repeats a request until it is answered. It must be a read, or have an Idempotency-Key. If no
   * answer comes, it is repeated after 0.2, 0.4, … seconds, and at once when the browser has its
   * network back; if it is rate-limited, after `Retry-After`. Throws `Unreached` after the last try.
   */
  async #persistent(request: Request): Promise<Response> {
    const repeatable = request.method === "GET" || request.headers.has("Idempotency-Key");
    for (let tries = 1; ; tries++) {
      const response = await this.#tried(request.clone());
      const isLast = !repeatable || (tries >= TRIES && !isOffline());
      if (response === null) {
        if (isLast) throw new Unreached("the service does not answer");
        await untilNextTry(100 * 2 ** Math.min(tries, TRIES));
      } else if (isLast || !BUSY.has(response.status)) return response;
      else await pause(1000 * Math.min(Number(response.headers.get("Retry-After")) || tries, 30));
    }
  }

  /** The answer to a request; null if none came. */
  async #tried(request: Request): Promise<Response | null> {
    const tell = this.#access.onReached ?? (() => {});
    const late = request.method === "GET" ? setTimeout(() => tell(false), LATE_MS) : undefined;
    try {
      const response = await fetch(request);
      tell(response.status !== 203); // that is what a service worker has stored (offline/public.ts)
      return response;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      tell(false);
      return null;
    } finally {
      clearTimeout(late);
    }
  }

  #asked(): Middleware {
    return {
      onRequest: ({ request }) => {
        for (const [name, value] of Object.entries(this.headers()))
          if (name !== "Authorization" || !request.headers.has(name))
            request.headers.set(name, value);
      },
      onResponse: async ({ request, response }) => {
        const own = this.headers().Authorization;
        if (response.status !== 401 || request.headers.get("Authorization") !== own) return;
        const problem = (await response.clone().json()) as { code?: string };
        if (problem.code === "unknown_key" || problem.code === "key_expired")
          this.#access.onKeyLost?.();
        if (!this.letsGo(problem.code) || request.method !== "GET") return;
        const headers = new Headers(request.headers);
        headers.delete("Authorization");
        return this.#persistent(new Request(request, { headers }));
      },
    };
  }
}

/** The body of an answer; throws `Refusal` with the problem if the request failed. */
export async function told<T>(
  answer: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await answer;
  if (response.ok) return data as T;
  throw Refusal.of(error, response);
}

/** A new idempotency key: if a request is repeated with the same key, it gets the same answer. */
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
/** A read that is not answered in this time may have been lost on its way. */
const LATE_MS = 1000;

/** Thrown if no answer came. */
export class Unreached extends Error {}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
