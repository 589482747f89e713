/**
 * The player of this browser: name, other devices, signing out, and the consequences of losing the
 * key.
 */

import { useState } from "preact/hooks";
import { once, told } from "../api/client.ts";
import { identity, signOut } from "../browser/identity.ts";
import { api } from "../browser/service.ts";
import { useTitle } from "../browser/title.ts";
import { receipts } from "../identity/receipts.ts";
import {
  anotherKey,
  becomeProgram,
  deviceLink,
  rename,
  signIn,
  takeKey,
} from "../identity/signing.ts";
import { Copyable, Doing, Failed, Time, useAsked, Wait } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";
import { BotMark } from "../table/holder.tsx";

export function You() {
  const words = phrases.value;
  useTitle(words.you);
  const [brought, setBrought] = useState(takeKey);
  const known = identity.value;
  return (
    <>
      <h1>{words.you}</h1>
      {brought !== null && (
        <div class="card">
          {known && <p>{words.signInSure(known.name)}</p>}
          <Doing
            class="main"
            does={async () => {
              await signIn(brought);
              setBrought(null);
            }}
          >
            {words.signIn}
          </Doing>
        </div>
      )}
      {known ? <Known key={known.id} name={known.name} id={known.id} /> : <p>{words.nobodyYet}</p>}
      <p class="quiet">{words.keyKept}</p>
      {!known && <EnterKey />}
      <p class="quiet">{words.receipts}</p>
      <KeptReceipts />
      <p class="quiet">{words.noChat}</p>
    </>
  );
}

function Known({ name, id }: { name: string; id: string }) {
  const words = phrases.value;
  const [wanted, setWanted] = useState(name);
  const [key, setKey] = useState<string | null>(null);
  const [leaving, setLeaving] = useState(false);
  return (
    <>
      <p class="lead">
        {words.youAre(name)} <a href={`/players/${id}`}>{words.playersGames}</a>
      </p>
      <div class="form card">
        <label>
          {words.yourName}
          <input
            value={wanted}
            maxLength={60}
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
        </label>
        <Doing does={() => rename(wanted)}>{words.rename}</Doing>
      </div>
      <div class="card">
        <h2>{words.anotherDevice}</h2>
        <p>{words.anotherDeviceHow}</p>
        {key === null ? (
          <Doing does={async () => setKey(await anotherKey(words.deviceOf(new Date())))}>
            {words.makeLink}
          </Doing>
        ) : (
          <>
            <Copyable text={deviceLink(key)} label={words.anotherDevice} />
            <Copyable text={key} label={words.key} />
          </>
        )}
      </div>
      <Devices made={key} />
      <Program />
      {leaving ? (
        <div class="banner">
          <p>{words.signOutSure}</p>
          <Copyable text={identity.value?.key ?? ""} label={words.key} secret />
          <button type="button" class="main" onClick={signOut}>
            {words.yes}
          </button>{" "}
          <button type="button" onClick={() => setLeaving(false)}>
            {words.no}
          </button>
        </div>
      ) : (
        <button type="button" onClick={() => setLeaving(true)}>
          {words.signOut}
        </button>
      )}
    </>
  );
}

/**
 * Whether a program plays as this player, and the button that declares so, which cannot be undone.
 */
function Program() {
  const words = phrases.value;
  const [sure, setSure] = useState(false);
  const [asked, again] = useAsked(() => told(api.GET("/v1/players/me")), [identity.value?.key]);
  if (asked.state !== "here") return null;
  if (asked.value.kind === "bot")
    return (
      <p class="card">
        {asked.value.name}
        <BotMark of="bot" />
      </p>
    );
  return (
    <details class="card">
      <summary>{words.programPlays}</summary>
      <p>{words.programHow}</p>
      {sure ? (
        <>
          <p>{words.programSure}</p>
          <Doing class="main" does={() => becomeProgram().then(again)}>
            {words.iAmProgram}
          </Doing>{" "}
          <button type="button" onClick={() => setSure(false)}>
            {words.no}
          </button>
        </>
      ) : (
        <button type="button" onClick={() => setSure(true)}>
          {words.iAmProgram}
        </button>
      )}
    </details>
  );
}

/**
 * The keys of this player, one for each device. All can be revoked here, except this device's own.
 */
function Devices({ made }: { made: string | null }) {
  const words = phrases.value;
  const [asked, again] = useAsked(
    () => Promise.all([told(api.GET("/v1/players/me/keys")), told(api.GET("/v1/players/me"))]),
    [identity.value?.key, made],
  );
  const revoke = async (id: string) => {
    const path = { key_id: id };
    await told(api.DELETE("/v1/players/me/keys/{key_id}", { params: { path, header: once() } }));
    again();
  };
  return (
    <div class="card">
      <h2>{words.devices}</h2>
      <Wait for={asked} again={again}>
        {([{ keys }, me]) => (
          <ul class="devices">
            {keys.map(({ id, name, created_at }) => (
              <li key={id}>
                <span>{name}</span> <Time at={created_at} />{" "}
                {id === me.key.id ? (
                  <em>{words.thisDevice}</em>
                ) : (
                  <Doing does={() => revoke(id)}>{words.revoke}</Doing>
                )}
              </li>
            ))}
          </ul>
        )}
      </Wait>
    </div>
  );
}

/** All receipts as a file, for the page that checks records and for `lonja verify`. */
function KeptReceipts() {
  const words = phrases.value;
  const all = Object.values(receipts());
  if (all.length === 0) return null;
  return (
    <p>
      <a
        class="button plain"
        href={`data:application/json,${encodeURIComponent(JSON.stringify(all))}`}
        download="receipts.json"
      >
        {words.saveReceipts(all.length)}
      </a>
    </p>
  );
}

function EnterKey() {
  const words = phrases.value;
  const [key, setKey] = useState("");
  const [error, setError] = useState<unknown>(null);
  const enter = (event: Event) => {
    event.preventDefault();
    signIn(key).catch(setError);
  };
  return (
    <form class="form card" onSubmit={enter}>
      <label>
        {words.haveKey}
        <input
          type="password"
          autocomplete="off"
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
      </label>
      <button type="submit">{words.signIn}</button>
      {error !== null && <Failed error={error} />}
    </form>
  );
}
