/**
 * The page of this browser's player: name, other devices, notifications, keys, webhooks, the stored
 * data, and leaving.
 */

import { useState } from "preact/hooks";
import { Keys } from "../account/keys.tsx";
import { Export, Leave } from "../account/leaving.tsx";
import { accountWords } from "../account/words.ts";
import { type Schemas, told } from "../api/client.ts";
import { broughtKey, deviceLink } from "../browser/device.ts";
import { identity, signOut } from "../browser/identity.ts";
import { unsubscribe } from "../browser/notifications.ts";
import { loading } from "../browser/release.ts";
import { api } from "../browser/service.ts";
import { useTitle } from "../browser/title.ts";
import { receipts } from "../identity/receipts.ts";
import { anotherKey, becomeProgram, rename, signIn } from "../identity/signing.ts";
import { Copyable, Doing, Failed, useActing, useAsked, Wait } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";
import { BotMark } from "../table/holder.tsx";

export function You() {
  const words = accountWords.value;
  useTitle(phrases.value.you);
  const brought = broughtKey.value;
  const [left, setLeft] = useState(false);
  const known = identity.value;
  return (
    <div class="account">
      <h1>{phrases.value.you}</h1>
      {brought !== null && (
        <div class="card">
          {known && <p>{words.signInSure(known.name)}</p>}
          <Doing
            class="main"
            does={async () => {
              if (known) await unsubscribe();
              await signIn(brought);
              broughtKey.value = null;
            }}
          >
            {words.signIn}
          </Doing>
        </div>
      )}
      {left && !known && <p role="status">{words.left}</p>}
      {known ? (
        <Known key={known.id} name={known.name} id={known.id} onLeft={() => setLeft(true)} />
      ) : (
        <p>{words.nobodyYet}</p>
      )}
      <p class="quiet">{words.keyKept}</p>
      {!known && <EnterKey />}
      <p class="quiet">{words.receipts}</p>
      <KeptReceipts />
      <p>
        <a href="/log">{words.publicLog}</a>
      </p>
      <p class="quiet">{phrases.value.noChat}</p>
    </div>
  );
}

function Known({ name, id, onLeft }: { name: string; id: string; onLeft: () => void }) {
  const words = accountWords.value;
  const [asked, again] = useAsked(() => told(api.GET("/v1/players/me")), [identity.value?.key]);
  return (
    <>
      <p class="lead">
        {words.youAre(name)} <a href={`/players/${id}`}>{phrases.value.playersGames}</a>
      </p>
      <Wait for={asked} again={again}>
        {(me) =>
          me.key.scope === "full" ? (
            <Owner me={me} name={name} onChanged={again} />
          ) : (
            <p class="banner">{words.narrow(words.opens[me.key.scope])}</p>
          )
        }
      </Wait>
      <SignOut />
      {asked.state === "here" && asked.value.key.scope === "full" && (
        <Leave id={id} name={name} onLeft={onLeft} />
      )}
    </>
  );
}

/** What a player with a key of the scope `full` can see and change. */
function Owner({
  me,
  name,
  onChanged,
}: {
  me: Schemas["Me"];
  name: string;
  onChanged: () => void;
}) {
  const words = accountWords.value;
  const [wanted, setWanted] = useState(name);
  const [key, setKey] = useState<string | null>(null);
  return (
    <>
      <div class="card inline">
        <label>
          {phrases.value.yourName}
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
      <Panel of="Notifications" />
      <Program me={me} onDeclared={onChanged} />
      <Keys own={me.key.id} made={key} />
      <Panel of="WebhooksOf" />
      <section class="card" aria-labelledby="data">
        <h2 id="data">{words.data}</h2>
        <Export id={me.id} />
      </section>
    </>
  );
}

type Panels = typeof import("../account/panels.ts");

/** A panel that is loaded by itself. */
function Panel({ of: name }: { of: keyof Panels }) {
  const [asked, again] = useAsked(() => loading(() => import("../account/panels.ts")), []);
  return (
    <Wait for={asked} again={again}>
      {({ [name]: Found }) => <Found />}
    </Wait>
  );
}

/** Asks first: without another copy of the key, the account is lost. */
function SignOut() {
  const words = accountWords.value;
  const [leaving, setLeaving] = useState(false);
  const leave = () => {
    void unsubscribe().catch(() => {});
    signOut();
  };
  if (!leaving)
    return (
      <button type="button" onClick={() => setLeaving(true)}>
        {phrases.value.signOut}
      </button>
    );
  return (
    <div class="banner">
      <p>{words.signOutSure}</p>
      <Copyable text={identity.value?.key ?? ""} label={words.key} secret />
      <button type="button" class="main" onClick={leave}>
        {phrases.value.yes}
      </button>{" "}
      <button type="button" onClick={() => setLeaving(false)}>
        {phrases.value.no}
      </button>
    </div>
  );
}

/**
 * Whether a program plays as this player, and a button that declares it, which cannot be undone.
 */
function Program({ me, onDeclared }: { me: Schemas["Me"]; onDeclared: () => void }) {
  const words = accountWords.value;
  const [sure, setSure] = useState(false);
  if (me.kind === "bot")
    return (
      <p class="card">
        {me.name}
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
          <Doing class="main" does={() => becomeProgram().then(onDeclared)}>
            {words.iAmProgram}
          </Doing>{" "}
          <button type="button" onClick={() => setSure(false)}>
            {phrases.value.no}
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

/** All receipts as a file, for the page that checks records and for `lonja verify`. */
function KeptReceipts() {
  const all = Object.values(receipts());
  if (all.length === 0) return null;
  return (
    <p>
      <a
        class="button plain"
        href={`data:application/json,${encodeURIComponent(JSON.stringify(all))}`}
        download="receipts.json"
      >
        {accountWords.value.saveReceipts(all.length)}
      </a>
    </p>
  );
}

function EnterKey() {
  const words = accountWords.value;
  const [key, setKey] = useState("");
  const { busy, error, act } = useActing(() => signIn(key));
  return (
    <form
      class="form card"
      onSubmit={(event) => {
        event.preventDefault();
        void act();
      }}
    >
      <label>
        {words.haveKey}
        <input
          type="password"
          autocomplete="off"
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={busy}>
        {words.signIn}
      </button>
      {error !== null && <Failed error={error} />}
    </form>
  );
}
