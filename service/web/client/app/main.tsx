/** The page: its frame, and the room that the address names. */

import { type FunctionComponent, render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { takeInvitation } from "../api/invitation.ts";
import { Patterns } from "../board/shapes.tsx";
import { identity } from "../identity/identity.ts";
import { Home } from "../rooms/home.tsx";
import { Lobby } from "../rooms/lobby.tsx";
import { Player } from "../rooms/player.tsx";
import { RulesList, RulesOf } from "../rooms/rules.tsx";
import { SettingsRoom } from "../rooms/settings.tsx";
import { TableRoom } from "../rooms/table.tsx";
import { You } from "../rooms/you.tsx";
import { language } from "../words/language.ts";
import { phrases } from "../words/phrases.ts";
import { path } from "./router.ts";
import { useTitle } from "./title.ts";
import "./theme.ts";
import "../style/app.css";

const ROOMS: [RegExp, FunctionComponent<{ id: string }>][] = [
  [/^\/()$/, Home],
  [/^\/lobby()$/, Lobby],
  [/^\/games\/([^/]+)$/, TableRoom],
  [/^\/players\/([^/]+)$/, Player],
  [/^\/rules\/([^/]+)$/, RulesOf],
  [/^\/rules()$/, RulesList],
  [/^\/you()$/, You],
  [/^\/settings()$/, SettingsRoom],
];

function App() {
  const found = ROOMS.map(([pattern, Room]) => ({ id: pattern.exec(path.value)?.[1], Room })).find(
    ({ id }) => id !== undefined,
  );
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    // Whoever came by a link inside the page begins at its new content.
    if (!first.current) main.current?.focus();
    first.current = false;
  }, [path.value]);
  return (
    <>
      <a class="skip" href="#main">
        {phrases.value.skip}
      </a>
      <Header />
      <main id="main" ref={main} tabIndex={-1}>
        {found ? (
          <found.Room
            key={`${path.value} ${language.value}`}
            id={decodeURIComponent(found.id ?? "")}
          />
        ) : (
          <Nothing />
        )}
      </main>
      <Patterns />
    </>
  );
}

function Nothing() {
  useTitle(phrases.value.notFound);
  return <h1>{phrases.value.notFound}</h1>;
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

takeInvitation();
document.body.replaceChildren();
render(<App />, document.body);
