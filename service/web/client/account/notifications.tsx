/** Whether this browser shows notifications of the player's turns, and a button that changes it. */

import { useState } from "preact/hooks";
import { once, type Schemas, told } from "../api/client.ts";
import { language } from "../browser/language.ts";
import { canNotify, subscribe, subscription, unsubscribe } from "../browser/notifications.ts";
import { api } from "../browser/service.ts";
import { Doing, Time, useAsked, Wait } from "../parts/parts.tsx";
import { notificationWords } from "./notification_words.ts";
import { type Report, Section } from "./section.tsx";

type Subscription = Schemas["PushSubscription"];

const PATH = "/v1/players/me/push_subscriptions";

export function Notifications() {
  const words = notificationWords.value;
  const [asked, again] = useAsked(async () => {
    const [listed, own] = await Promise.all([told(api.GET(PATH)), subscription()]);
    return { ...listed, own: own?.endpoint };
  }, []);
  return (
    <Section id="notifications" title={words.title}>
      {(report) => (
        <>
          <p class="quiet">{words.are}</p>
          <Wait for={asked} again={again}>
            {({ subscriptions, application_server_key, own }) => (
              <>
                <Here
                  of={subscriptions.find(({ endpoint }) => endpoint === own)}
                  serverKey={application_server_key}
                  report={report}
                  changed={again}
                />
                <Elsewhere
                  of={subscriptions.filter(({ endpoint }) => endpoint !== own)}
                  report={report}
                  changed={again}
                />
              </>
            )}
          </Wait>
        </>
      )}
    </Section>
  );
}

interface Changing {
  readonly report: Report;
  readonly changed: () => void;
}

/** This browser: on, off, blocked by the person, or not able to. */
function Here({
  of: own,
  serverKey,
  report,
  changed,
}: Changing & { of: Subscription | undefined; serverKey: string }) {
  const words = notificationWords.value;
  const [blocked, setBlocked] = useState(() => canNotify() && Notification.permission === "denied");
  if (!canNotify()) return <p>{words.cannot}</p>;
  const turnOn = async () => {
    const answer = await Notification.requestPermission();
    setBlocked(answer === "denied");
    if (answer !== "granted") return;
    const { endpoint, keys } = (await subscribe(serverKey)).toJSON();
    const body = { endpoint, keys, language: language.value } as Schemas["PushSubscriptionRequest"];
    await told(api.POST(PATH, { body, params: { header: once() } }));
    report(words.turnedOn);
    changed();
  };
  const turnOff = async (subscription_id: string) => {
    await remove(subscription_id);
    await unsubscribe();
    report(words.turnedOff);
    changed();
  };
  if (blocked) return <p class="failing">{words.blocked}</p>;
  return (
    <>
      <p>
        <span class="tag">{own ? words.on : words.off}</span>
      </p>
      {own ? (
        <Doing does={() => turnOff(own.id)}>{words.turnOff}</Doing>
      ) : (
        <Doing class="main" does={turnOn}>
          {words.turnOn}
        </Doing>
      )}
    </>
  );
}

/** The other browsers of the player. */
function Elsewhere({ of: others, report, changed }: Changing & { of: Subscription[] }) {
  const words = notificationWords.value;
  if (others.length === 0) return null;
  return (
    <>
      <p>{words.elsewhere}</p>
      <ul class="owned">
        {others.map(({ id, endpoint, created_at }) => (
          <li key={id}>
            {new URL(endpoint).host} · {words.since} <Time at={created_at} />{" "}
            <Doing
              name={words.turnOffAt(new URL(endpoint).host)}
              does={async () => {
                await remove(id);
                report(words.turnedOff);
                changed();
              }}
            >
              {words.turnOff}
            </Doing>
          </li>
        ))}
      </ul>
    </>
  );
}

async function remove(subscription_id: string): Promise<void> {
  const params = { path: { subscription_id }, header: once() };
  await told(api.DELETE(`${PATH}/{subscription_id}`, { params }));
}
