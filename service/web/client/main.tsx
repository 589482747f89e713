/** The page: its frame, and within it the room that the address names. */

import { type FunctionComponent, render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Patterns } from "./board/shapes.tsx";
import { disturbed } from "./browser/connection.ts";
import { decoded } from "./browser/decoded.ts";
import { identity, keyLost, signOut } from "./browser/identity.ts";
import { invitation } from "./browser/invitation.ts";
import { language } from "./browser/language.ts";
import { loading, Outdated, renewOnce } from "./browser/release.ts";
import { path } from "./browser/router.ts";
import { readySound } from "./browser/sound.ts";
import { watchTurns } from "./identity/turns.ts";
import { Nothing } from "./parts/nothing.tsx";
import { useAsked, Wait } from "./parts/parts.tsx";
import { phrases } from "./phrases/phrases.ts";
import { TableRoom } from "./rooms/table.tsx";
import { Tongue } from "./words/languages.ts";
import "./board/copies.ts";
import "./browser/theme.ts";
import "./style/app.css";

type Room = FunctionComponent<{ id: string }>;

/** A room (one of the page's screens); its code is loaded when the room is first opened. */
function later(load: () => Promise<Room>): Room {
  return function Later({ id }) {
    const [asked, again] = useAsked(() => loading(load), []);
    useEffect(() => {
      const gone = asked.state === "failed" && asked.error instanceof Outdated;
      if (gone) renewOnce(); // a reload loses nothing, because nothing was begun in this room yet
    }, [asked]);
    return (
      <Wait for={asked} again={again}>
        {(Found) => <Found id={id} />}
      </Wait>
    );
  };
}

const home = later(async () => (await import("./rooms/lists.ts")).Home);
const lobby = later(async () => (await import("./rooms/lists.ts")).Lobby);
const games = later(async () => (await import("./rooms/lists.ts")).Games);
const rulesList = later(async () => (await import("./rooms/lists.ts")).RulesList);
const rulesOf = later(async () => (await import("./rooms/lists.ts")).RulesOf);
const tournaments = later(async () => (await import("./rooms/tournaments.tsx")).Tournaments);
const tournament = later(async () => (await import("./rooms/tournament.tsx")).TournamentRoom);
const you = later(async () => (await import("./rooms/own.ts")).You);
const settings = later(async () => (await import("./rooms/own.ts")).SettingsRoom);
const player = later(async () => (await import("./rooms/own.ts")).Player);

const ROOMS: [RegExp, Room][] = [
  [/^\/()$/, home],
  [/^\/lobby()$/, lobby],
  [/^\/games()$/, games],
  [/^\/games\/([^/]+)$/, TableRoom],
  [/^\/players\/([^/]+)$/, player],
  [/^\/tournaments()$/, tournaments],
  [/^\/tournaments\/([^/]+)$/, tournament],
  [/^\/rules\/([^/]+)$/, rulesOf],
  [/^\/rules()$/, rulesList],
  [/^\/log()$/, later(async () => (await import("./rooms/public_log.tsx")).PublicLog)],
  [/^\/you()$/, you],
  [/^\/settings()$/, settings],
];

function App() {
  const found = ROOMS.map(([pattern, Room]) => ({ id: pattern.exec(path.value)?.[1], Room })).find(
    ({ id }) => id !== undefined,
  );
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    // After a click on a link within the page, focus moves to the new content.
    if (!first.current) main.current?.focus();
    first.current = false;
  }, [path.value]);
  return (
    <Tongue.Provider value={language.value}>
      <a class="skip" href="#main">
        {phrases.value.skip}
      </a>
      <Header />
      <KeyLost />
      <Disturbed />
      <main id="main" ref={main} tabIndex={-1}>
        {found ? (
          <found.Room
            key={`${path.value} ${language.value} ${invitation.value}`}
            id={decoded(found.id ?? "")}
          />
        ) : (
          <Nothing title={phrases.value.notFound} />
        )}
      </main>
      <Patterns />
    </Tongue.Provider>
  );
}

/** The service is not reached, or not any more. */
function Disturbed() {
  if (!disturbed.value) return null;
  return (
    <p class="banner" role="status">
      {phrases.value.cut}
    </p>
  );
}

/** This browser's key was revoked on another device: requests with it are refused. */
function KeyLost() {
  if (!keyLost.value) return null;
  return (
    <p class="banner failed" role="alert">
      {phrases.value.keyLost}{" "}
      <button type="button" onClick={signOut}>
        {phrases.value.signOut}
      </button>
    </p>
  );
}

function Header() {
  const words = phrases.value;
  const links = [
    ["/lobby", words.lobby],
    ["/tournaments", words.tournaments],
    ["/rules", words.rules],
    ["/verify.html", words.check],
    ["/settings", words.settings],
    ["/you", identity.value?.name || words.you],
  ] as const;
  return (
    <header class="top">
      <a class="brand" href="/">
        Lonja
      </a>
      <nav aria-label="Lonja">
        {links.map(([to, text]) => (
          <a key={to} href={to} aria-current={path.value === to ? "page" : undefined}>
            {text}
          </a>
        ))}
      </nav>
    </header>
  );
}

readySound();
watchTurns();
document.body.replaceChildren();
render(<App />, document.body);

// Every table needs these; after an upgrade, the service would not have them any more.
addEventListener("load", () => {
  Promise.all([
    import("./board/later.ts"),
    import("./rooms/later.ts"),
    import("./table/help.ts"),
    import("./table/log.tsx"),
  ]).catch(() => {});
});
