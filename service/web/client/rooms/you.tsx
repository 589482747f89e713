/** Who one is in this browser: the name, other devices, signing out, and what losing the key means. */

import { useState } from "preact/hooks";
import { Copyable, Doing, Failed } from "../app/parts.tsx";
import { useTitle } from "../app/title.ts";
import { identity, signOut } from "../identity/identity.ts";
import { anotherKey, deviceLink, rename, signIn, takeKey } from "../identity/signing.ts";
import { phrases } from "../words/phrases.ts";

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
          <Doing does={async () => setKey(await anotherKey(words.anotherDevice))}>
            {words.makeLink}
          </Doing>
        ) : (
          <>
            <Copyable text={deviceLink(key)} label={words.anotherDevice} />
            <Copyable text={key} label={words.key} />
          </>
        )}
      </div>
      {leaving ? (
        <p class="banner">
          {words.signOutSure}{" "}
          <button type="button" class="main" onClick={signOut}>
            {words.yes}
          </button>{" "}
          <button type="button" onClick={() => setLeaving(false)}>
            {words.no}
          </button>
        </p>
      ) : (
        <button type="button" onClick={() => setLeaving(true)}>
          {words.signOut}
        </button>
      )}
    </>
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
