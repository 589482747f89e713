/**
 * Server-sent events by fetch, which sends the key in a header; an interrupted stream is resumed.
 */

type Message = { type: string; id?: string; data: { game_id: string } };

/** Pass each message of a stream to `answer`, in order and once, until `answer` returns true. */
export async function follow(
  url: string,
  headers: Record<string, string>,
  answer: (message: Message, breaks: number) => Promise<boolean>,
): Promise<void> {
  let last: string | undefined;
  for (let breaks = 0; ; breaks++) {
    try {
      for await (const message of messages(url, headers, last)) {
        last = message.id ?? last;
        if (await answer(message, breaks)) return;
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // what fetch throws when a connection breaks
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/**
 * Repeat a request until there is an answer. Only reads, and requests with an idempotency key, may
 * be sent again.
 */
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

async function* messages(
  url: string,
  headers: Record<string, string>,
  after?: string,
): AsyncGenerator<Message> {
  const seen: Record<string, string> = after === undefined ? {} : { "Last-Event-ID": after };
  const response = await fetch(url, { headers: { ...headers, ...seen } });
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
      if (data) yield { type: said("event")[0] ?? "message", id: said("id")[0], data: JSON.parse(data) };
    }
  }
}
