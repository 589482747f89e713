/**
 * Server-sent events by `fetch`, which can send the key in a header, so that no log has it. An
 * interrupted connection resumes after the last event, so no event is lost or repeated.
 */

import { batch, type Signal } from "@preact/signals";
import type { Service } from "./client.ts";
import { onCut, untilNextTry } from "./network.ts";
import { type Problem, Refusal } from "./problem.ts";

/** The service sends a keep-alive every 12 seconds. */
const SILENCE_MS = 16_000;
const SLOWEST_MS = 10_000;

/** What is needed of a service to follow a stream. */
type Reached = Pick<Service, "url" | "headers" | "letsGo">;

export interface Followed {
  /** The path and the query of the stream, without `after`. */
  readonly path: string;
  /** The `seq` of the last known event; 0 for none. */
  readonly after: number;
  readonly signal: AbortSignal;
  /** The time (Date.now) since which the stream has been interrupted; null while it is open. */
  readonly cutSince?: Signal<number | null>;
  readonly onEvent: (data: string) => void;
  /** The stream has ended: the game is over or rewound, or this key is no longer valid. */
  readonly onLast: (kind: "end" | "rewound" | "revoked") => void;
}

/**
 * Follows a stream until it ends or `signal` aborts it. Throws `Refusal` if the caller may not read
 * it.
 */
export async function follow(
  service: Reached,
  { path, after, signal: stop, cutSince, onEvent, onLast }: Followed,
): Promise<void> {
  let last = after;
  for (let failures = 0; !stop.aborted; failures++) {
    const begun = Date.now();
    try {
      for await (const some of messages(service, path, last, stop)) {
        if (cutSince) cutSince.value = null;
        const { kind } = some.find((message) => message.kind !== "message") ?? {};
        // Of events that come together, not each is drawn.
        batch(() => {
          for (const message of some) {
            if (message.kind !== "message") break;
            if (message.id > last) {
              last = message.id;
              onEvent(message.data);
            }
          }
        });
        if (kind === "opened") continue;
        failures = 0;
        if (kind === "displaced") break;
        if (kind !== undefined) return onLast(kind as "end" | "rewound" | "revoked");
      }
    } catch (error) {
      if (stop.aborted) return;
      if (error instanceof Refusal) {
        if (service.letsGo(error.problem.code)) continue;
        if (error.status < 500 && error.status !== 429) throw error;
      }
    }
    if (stop.aborted) return;
    if (cutSince) cutSince.value ??= Date.now();
    if (Date.now() > begun + SLOWEST_MS) failures = 0; // it was open for a while, if without an event
    await untilNextTry(Math.min(250 * 2 ** failures, SLOWEST_MS));
  }
}

interface Message {
  readonly kind: string;
  readonly id: number;
  readonly data: string;
}

/** Yields the messages that come together. */
async function* messages(
  service: Reached,
  path: string,
  after: number,
  stop: AbortSignal,
): AsyncGenerator<readonly Message[]> {
  const quiet = new AbortController();
  const end = () => quiet.abort();
  const headers = {
    ...service.headers(),
    Accept: "text/event-stream",
    "Last-Event-ID": String(after),
  };
  let timer = setTimeout(end, SILENCE_MS);
  onCut(end, quiet.signal);
  // Not `AbortSignal.any`: once WebKit has collected its garbage, that ends nothing any more.
  stop.addEventListener("abort", end, { signal: quiet.signal });
  try {
    const response = await fetch(service.url + path, {
      headers,
      signal: quiet.signal,
      cache: "no-store",
    });
    if (!response.ok || !response.body)
      throw Refusal.of((await response.json()) as Problem, response);
    yield [{ kind: "opened", id: after, data: "" }];
    let rest = "";
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(end, SILENCE_MS);
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop() ?? "";
      const some = blocks.flatMap((block) => parsed(block, after) ?? []);
      if (some.length > 0) yield some;
    }
  } finally {
    clearTimeout(timer);
    end();
  }
}

/** One message; null for a comment, which is only a keep-alive. */
function parsed(block: string, after: number): Message | null {
  const said: Record<string, string> = {};
  for (const line of block.split("\n")) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined)
      said[name] = name in said ? `${said[name]}\n${value}` : value;
  }
  if (said.data === undefined) return null;
  return { kind: said.event ?? "message", id: Number(said.id ?? after), data: said.data };
}
