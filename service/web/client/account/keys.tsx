/** The keys of the player: devices, programs, pages, and seats. Each can be revoked. */

import { useState } from "preact/hooks";
import { once, type Schemas, told } from "../api/client.ts";
import { api } from "../browser/service.ts";
import { Time, useAsked, Wait } from "../parts/parts.tsx";
import { Folded } from "../play/folded.tsx";
import { Maker } from "./maker.tsx";
import { Refusals } from "./refusals.tsx";
import { type Report, Section } from "./section.tsx";
import { Sure, ToldOnce } from "./sure.tsx";
import { accountWords, type Options, type Scope } from "./words.ts";

type Key = Schemas["Key"];

/** The name that the service gives to the first key of a player. */
const FIRST = "first";

/** `made` changes when another part of the page has created a key. */
export function Keys({ own, made }: { own: string; made: string | null }) {
  const words = accountWords.value;
  const [asked, again] = useAsked(() => told(api.GET("/v1/players/me/keys")), [made]);
  return (
    <Section id="keys" title={words.keys}>
      {(report) => (
        <>
          <p class="quiet">{words.keysAre}</p>
          <Wait for={asked} again={again}>
            {({ keys }) => {
              const list = (listed: readonly Key[]) => (
                <ul class="owned">
                  {listed.map((key) => (
                    <li key={key.id}>
                      <OneKey of={key} isOwn={key.id === own} report={report} changed={again} />
                    </li>
                  ))}
                </ul>
              );
              const seats = keys.filter(({ scope }) => scope === "seat");
              return (
                <>
                  {list(keys.filter(({ scope }) => scope !== "seat"))}
                  {seats.length > 0 && (
                    <Folded summary={words.seatKeys(seats.length)}>{() => list(seats)}</Folded>
                  )}
                </>
              );
            }}
          </Wait>
          <NewKey changed={again} />
        </>
      )}
    </Section>
  );
}

function OneKey({
  of: key,
  isOwn,
  report,
  changed,
}: {
  of: Key;
  isOwn: boolean;
  report: Report;
  changed: () => void;
}) {
  const words = accountWords.value;
  const name = key.name === FIRST ? words.firstKey : key.name;
  const revoke = async () => {
    const path = { key_id: key.id };
    await told(api.DELETE("/v1/players/me/keys/{key_id}", { params: { path, header: once() } }));
    report(words.revoked(name));
    changed();
  };
  return (
    <>
      <div class="head">
        <p>
          <strong>{name}</strong> <span class="tag">{words.opens[key.scope]}</span>{" "}
          {isOwn && <em>{words.thisBrowser}</em>}
        </p>
        {!isOwn && (
          <Sure
            label={words.revoke}
            name={words.revokeThis(name)}
            question={words.revokeSure(name)}
            yes={words.revokeIt}
            does={revoke}
          />
        )}
      </div>
      <p class="quiet">
        {key.game_id !== undefined && (
          <>
            {words.seatOf(key.seat ?? 0)} <a href={`/games/${key.game_id}`}>{words.thatGame}</a>
            {" · "}
          </>
        )}
        {words.made} <Time at={key.created_at} />
        {" · "}
        {key.last_used_on ? (
          <>
            {words.used} <Day of={key.last_used_on} />
          </>
        ) : (
          words.neverUsed
        )}
        {key.expires_at !== null && (
          <>
            {" · "}
            {new Date(key.expires_at) > new Date() ? words.until : words.over}{" "}
            <Time at={key.expires_at} />
          </>
        )}
        {" · "}
        <code>{key.id}</code>
      </p>
      <Folded
        summary={
          <>
            {words.refusals}
            <span class="sr"> {name}</span>
            {key.last_refused_at && (
              <span class="failing">
                {" · "}
                {words.newest} <Time at={key.last_refused_at} />
              </span>
            )}
          </>
        }
      >
        {() => <Refusals id={key.id} name={name} />}
      </Folded>
    </>
  );
}

/** A day, as `2026-11-20`, in the reader's format. */
function Day({ of: day }: { of: string }) {
  const style = { dateStyle: "medium", timeZone: "UTC" } as const;
  const text = new Date(day).toLocaleDateString(document.documentElement.lang, style);
  return <time dateTime={day}>{text}</time>;
}

/** The form for a new key, and then the key, which is shown only once. */
function NewKey({ changed }: { changed: () => void }) {
  const words = accountWords.value;
  const [name, setName] = useState("");
  const [scope, setScope] = useState<Exclude<Scope, "seat" | "bot">>("play");
  const [days, setDays] = useState("");
  const [made, setMade] = useState<Schemas["NewKey"] | null>(null);
  const make = async () => {
    const body = { name, scope, ...(days === "" ? {} : { days: Number(days) }) };
    setMade(await told(api.POST("/v1/players/me/keys", { body, params: { header: once() } })));
    setName("");
    changed();
  };
  if (made)
    return (
      <ToldOnce text={made.key} label={made.name} onKept={() => setMade(null)}>
        {words.onlyNow(made.name)}
      </ToldOnce>
    );
  return (
    <Maker summary={words.newKey} make={make}>
      {() => (
        <>
          <label>
            {words.whatFor}
            <input
              required
              maxLength={60}
              autocomplete="off"
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </label>
          <Choice label={words.scope} options={words.scopes} value={scope} onChange={setScope} />
          <Choice label={words.howLong} options={words.days} value={days} onChange={setDays} />
        </>
      )}
    </Maker>
  );
}

function Choice<T extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: Options<T>;
  value: T;
  onChange: (value: T) => void;
}) {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
