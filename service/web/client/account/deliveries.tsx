/** The attempts to send the messages of a webhook, which can be sent again. */

import { useEffect, useState } from "preact/hooks";
import { once, type Schemas, told } from "../api/client.ts";
import { api } from "../browser/service.ts";
import { Doing, Time, timeText, useAsked, Wait } from "../parts/parts.tsx";
import { Folded } from "../play/folded.tsx";
import { type AccountWords, accountWords } from "./words.ts";

type Webhook = Schemas["Webhook"];
type Delivery = Schemas["Delivery"];

/** Number of attempts that are shown at first. */
const SHOWN = 10;
/** After a message was requested, the list is read this number of times, once a second. */
const LOOKS = 12;

/** `tested` counts the requested tests; `attempted` is called each time that the list was read. */
export function Deliveries({
  of: hook,
  tested,
  attempted,
}: {
  of: Webhook;
  tested: number;
  attempted: () => void;
}) {
  const words = accountWords.value;
  const path = { webhook_id: hook.id };
  const [asked, again] = useAsked(
    () => told(api.GET("/v1/players/me/webhooks/{webhook_id}/deliveries", { params: { path } })),
    [hook.id],
  );
  const [looks, setLooks] = useState(0);
  const [shown, setShown] = useState(SHOWN);
  const [done, setDone] = useState("");
  useEffect(() => {
    if (tested === 0) return;
    setDone(words.tested);
    setLooks(LOOKS);
  }, [tested]);
  useEffect(() => {
    if (looks === 0) return;
    const next = setTimeout(() => {
      again();
      attempted();
      setLooks(looks - 1);
    }, 1000);
    return () => clearTimeout(next);
  }, [looks]);
  const send = async (first: string, last: string) => {
    const { ids } = await told(
      api.POST("/v1/players/me/webhooks/{webhook_id}/redeliveries", {
        params: { path, header: once() },
        body: { first, last },
      }),
    );
    setDone(words.sentAgain(ids.length));
    setLooks(LOOKS);
  };
  return (
    <>
      <p role="status" class="done">
        {done}
      </p>
      <Wait for={asked} again={again}>
        {({ deliveries }) => {
          const sent = sendable(deliveries);
          return (
            <>
              {deliveries.length === 0 && <p class="quiet">{words.noDeliveries}</p>}
              <ol class="attempts" aria-label={words.deliveriesOf(hook.url)}>
                {deliveries.slice(0, shown).map((delivery) => (
                  <li key={`${delivery.id} ${delivery.at}`}>
                    <Attempt of={delivery} send={sent.has(delivery.id) ? send : null} />
                  </li>
                ))}
              </ol>
              {deliveries.length > shown && (
                <button type="button" class="plain" onClick={() => setShown(deliveries.length)}>
                  {words.more}
                </button>
              )}
              <Range of={[...sent.values()]} send={send} />
              <button type="button" class="plain" onClick={again}>
                {words.again}
              </button>
            </>
          );
        }}
      </Wait>
    </>
  );
}

type Send = (first: string, last: string) => Promise<void>;

/** `send` is null if the message cannot be sent again. */
function Attempt({ of: delivery, send }: { of: Delivery; send: Send | null }) {
  const words = accountWords.value;
  const { id, at, attempt, answer, next_attempt_at: next } = delivery;
  return (
    <>
      <p>
        <strong class={delivery.delivered ? "delivered" : "failing"}>
          {delivery.delivered ? "✓" : "✗"} {outcome(words, delivery)}
        </strong>{" "}
        <code>{delivery.type}</code>
      </p>
      <p class="quiet">
        <Time at={at} seconds /> · {words.attempt(attempt)}
        {next !== null && (
          <>
            {" · "}
            {words.againAt} <Time at={next} seconds />
          </>
        )}
      </p>
      {answer && (
        <>
          <p class="quiet">{words.answerIs}</p>
          <pre>{answer}</pre>
        </>
      )}
      {send && (
        <Doing
          name={words.sendAgainThis(`${delivery.type}, ${timeText(at, true)}`)}
          does={() => send(id, id)}
        >
          {words.sendAgain}
        </Doing>
      )}
    </>
  );
}

/**
 * A choice of two messages, newest first, and a button that sends these and all between them again.
 */
function Range({ of: sent, send }: { of: readonly Delivery[]; send: Send }) {
  const words = accountWords.value;
  const oldestFailed = sent.findLast(({ delivered }) => !delivered) ?? sent[0];
  const [first, setFirst] = useState<string>();
  const [last, setLast] = useState<string>();
  if (sent.length < 2) return null;
  const [from, to] = [first ?? oldestFailed?.id ?? "", last ?? sent[0]?.id ?? ""];
  const choice = (label: string, value: string, choose: (id: string) => void) => (
    <label>
      {label}
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {sent.map((message) => (
          <option key={message.id} value={message.id}>
            {timeText(message.at, true)} · {message.delivered ? "✓" : "✗"} {message.type}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <Folded summary={words.range}>
      {() => (
        <div class="form">
          {choice(words.from, from, setFirst)}
          {choice(words.to, to, setLast)}
          <div>
            <Doing does={() => send(from, to)}>{words.sendRange}</Doing>
          </div>
        </div>
      )}
    </Folded>
  );
}

/**
 * The newest attempt for each message that can be sent again, newest first, by id. These are the
 * notices of games, except those that wait for their next attempt.
 */
function sendable(deliveries: readonly Delivery[]): ReadonlyMap<string, Delivery> {
  const newest = new Map<string, Delivery>();
  for (const delivery of deliveries)
    if (!newest.has(delivery.id)) newest.set(delivery.id, delivery);
  const found = [...newest].filter(
    ([, { type, next_attempt_at: next }]) => type in accountWords.value.eventIs && next === null,
  );
  return new Map(found.sort(([one], [other]) => order(other) - order(one)));
}

/**
 * A number by which messages sort: the time and number in a message's id, `w-…_1764000000000-0`.
 */
function order(id: string): number {
  const [, time, number] = /_(\d+)-(\d+)$/.exec(id) ?? [];
  return Number(time) + Number(number) / 1000;
}

function outcome(words: AccountWords, { status, error, milliseconds }: Delivery): string {
  if (error !== null) return words.noAnswer[error];
  return words.answered(status ?? 0, milliseconds);
}
