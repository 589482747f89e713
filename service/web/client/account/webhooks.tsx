/** The webhooks of the player, with their state and deliveries. */

import { useState } from "preact/hooks";
import { once, type Schemas, told } from "../api/client.ts";
import { api } from "../browser/service.ts";
import { Doing, Time, useAsked, Wait } from "../parts/parts.tsx";
import { Deliveries } from "./deliveries.tsx";
import { Maker } from "./maker.tsx";
import { type Report, Section } from "./section.tsx";
import { Sure, ToldOnce } from "./sure.tsx";
import { type AccountWords, accountWords } from "./words.ts";

type Webhook = Schemas["Webhook"];
type Event = Webhook["events"][number];

export function WebhooksOf() {
  const words = accountWords.value;
  const [asked, again] = useAsked(() => told(api.GET("/v1/players/me/webhooks")), []);
  return (
    <Section id="webhooks" title={words.webhooks}>
      {(report) => (
        <>
          <p class="quiet">
            {words.webhooksAre} <a href="/docs/api/webhooks">{words.guide}</a>
          </p>
          <Wait for={asked} again={again}>
            {({ webhooks }) =>
              webhooks.length === 0 ? (
                <p>{words.noWebhooks}</p>
              ) : (
                <ul class="owned">
                  {webhooks.map((hook) => (
                    <li key={hook.id}>
                      <OneWebhook of={hook} report={report} changed={again} />
                    </li>
                  ))}
                </ul>
              )
            }
          </Wait>
          <NewWebhook changed={again} />
        </>
      )}
    </Section>
  );
}

function OneWebhook({
  of: hook,
  report,
  changed,
}: {
  of: Webhook;
  report: Report;
  changed: () => void;
}) {
  const words = accountWords.value;
  const [open, setOpen] = useState(false);
  const [tested, setTested] = useState(0);
  const [secret, setSecret] = useState<string | null>(null);
  const state = hook.disabled
    ? words.isDisabled
    : hook.failing_since === null
      ? words.works
      : words.fails;
  /**
   * The parameters of a request that changes this webhook; each request has an idempotency key of
   * its own.
   */
  const params = () => ({ path: { webhook_id: hook.id }, header: once() });
  const test = async () => {
    await told(api.POST("/v1/players/me/webhooks/{webhook_id}/ping", { params: params() }));
    setOpen(true);
    setTested(tested + 1);
  };
  const enable = async (enabled: boolean) => {
    const body = { enabled };
    await told(api.PATCH("/v1/players/me/webhooks/{webhook_id}", { params: params(), body }));
    changed();
  };
  const rotate = async () => {
    const made = await told(
      api.POST("/v1/players/me/webhooks/{webhook_id}/rotate", { params: params() }),
    );
    setSecret(made.secret);
  };
  const remove = async () => {
    setOpen(false); // its deliveries are not read any more
    await told(api.DELETE("/v1/players/me/webhooks/{webhook_id}", { params: params() }));
    report(words.removed);
    changed();
  };
  return (
    <>
      <p>
        <strong>{hook.url}</strong> <span class="tag">{state}</span>
      </p>
      <Trouble of={hook} />
      <p class="quiet">
        {hook.events.map((event) => words.eventIs[event]).join(" · ")}
        {" · "}
        {words.made} <Time at={hook.created_at} />
      </p>
      {secret !== null && (
        <ToldOnce text={secret} label={words.secret} onKept={() => setSecret(null)}>
          {words.onlySecret}
        </ToldOnce>
      )}
      <div class="actions">
        <Doing name={words.testThis(hook.url)} does={test}>
          {words.test}
        </Doing>
        <Doing does={() => enable(hook.disabled !== null)}>
          {hook.disabled ? words.enable : words.disable}
        </Doing>
        <Sure
          label={words.newSecret}
          question={words.newSecretSure}
          yes={words.newSecret}
          does={rotate}
        />
        <Sure
          label={words.remove}
          name={words.removeThis(hook.url)}
          question={words.removeSure(hook.url)}
          yes={words.removeIt}
          does={remove}
        />
      </div>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {words.deliveries}
          <span class="sr"> {hook.url}</span>
        </summary>
        {open && <Deliveries of={hook} tested={tested} attempted={changed} />}
      </details>
    </>
  );
}

/** The time since which messages fail or are not sent; nothing if the webhook works. */
function Trouble({ of: { disabled, failing_since, next_attempt_at } }: { of: Webhook }) {
  const words = accountWords.value;
  if (disabled)
    return (
      <p class="failing">
        {words.disabled[disabled.reason]} · <Time at={disabled.at} />
      </p>
    );
  if (failing_since === null) return null;
  return (
    <p class="failing">
      {words.failsSince} <Time at={failing_since} seconds />
      {next_attempt_at !== null && (
        <>
          {" · "}
          {words.nextAt} <Time at={next_attempt_at} seconds />
        </>
      )}
    </p>
  );
}

/** The form for a new webhook, and then its secret, which is shown only once. */
function NewWebhook({ changed }: { changed: () => void }) {
  const words = accountWords.value;
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<readonly Event[]>(eventsOf(words));
  const [secret, setSecret] = useState<string | null>(null);
  const make = async () => {
    const body = { url, events: [...events] };
    const made = await told(
      api.POST("/v1/players/me/webhooks", { body, params: { header: once() } }),
    );
    setSecret(made.secret);
    setUrl("");
    changed();
  };
  if (secret !== null)
    return (
      <ToldOnce text={secret} label={words.secret} onKept={() => setSecret(null)}>
        {words.onlySecret}
      </ToldOnce>
    );
  return (
    <Maker summary={words.newWebhook} make={make} isReady={events.length > 0}>
      {() => (
        <>
          <label>
            {words.url}
            <input
              type="url"
              required
              placeholder="https://"
              autocomplete="off"
              value={url}
              onInput={(event) => setUrl(event.currentTarget.value)}
            />
          </label>
          <fieldset>
            <legend>{words.events}</legend>
            {eventsOf(words).map((event) => (
              <label key={event} class="check">
                <input
                  type="checkbox"
                  checked={events.includes(event)}
                  onChange={({ currentTarget: { checked } }) =>
                    setEvents(
                      eventsOf(words).filter((each) =>
                        each === event ? checked : events.includes(each),
                      ),
                    )
                  }
                />{" "}
                {words.eventIs[event]} <code>{event}</code>
              </label>
            ))}
          </fieldset>
        </>
      )}
    </Maker>
  );
}

/** The events that a webhook may send, in the order in which they come in a game. */
function eventsOf(words: AccountWords): Event[] {
  return Object.keys(words.eventIs) as Event[];
}
