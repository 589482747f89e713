/** Server-sent events by fetch, which sends the key in a header; a broken stream is taken up again. */

import type { Event } from "./board.ts";

const INCLUDE = "include=effects,words,state,legal_moves";

/** Hand each event of a game to `answer`, in order and once; tell how often the stream broke. */
export async function follow(
  url: string,
  headers: Record<string, string>,
  answer: (event: Event) => Promise<void>,
): Promise<number> {
  let last = "0";
  for (let breaks = 0; ; breaks++) {
    try {
      for await (const { type, id, data } of messages(`${url}?${INCLUDE}`, headers, last)) {
        if (type === "end") return breaks;
        if (type !== "message") break;
        if (Number(id) !== Number(last) + 1) throw new RangeError(`${id} came after ${last}`);
        last = id;
        await answer(JSON.parse(data));
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // what fetch throws when a connection breaks
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Ask until there is an answer: what reads, or has a key of its own, may be sent again. */
export async function persistent(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  for (;;) {
    const request = input instanceof Request ? input.clone() : input;
    try {
      const response = await fetch(request, init);
      if (response.status < 500) return response;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // what fetch throws when nobody answers
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function* messages(url: string, headers: Record<string, string>, after: string) {
  const response = await fetch(url, { headers: { ...headers, "Last-Event-ID": after } });
  if (response.status >= 500) return;
  if (!response.ok || !response.body) throw new Error(`${response.status} ${await response.text()}`);
  let rest = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      const said = (name: string) =>
        block.split("\n").flatMap((line) => (line.startsWith(`${name}: `) ? [line.slice(name.length + 2)] : []));
      const data = said("data").join("\n");
      if (data) yield { type: said("event")[0] ?? "message", id: said("id")[0] ?? after, data };
    }
  }
}
