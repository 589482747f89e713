/** The public log of the service, as it grows: its checkpoint, and one's own games in it. */

import { useEffect } from "preact/hooks";
import { told } from "../api/client.ts";
import { adopt } from "../board/sheets.ts";
import { identity } from "../browser/identity.ts";
import { api } from "../browser/service.ts";
import { keep, kept } from "../browser/storage.ts";
import { useTitle } from "../browser/title.ts";
import { CopyableCode, Time, useAsked, Wait } from "../parts/parts.tsx";
import style from "../style/public_log.css" with { type: "text" };
import { type Checkpoint, checkpoint, type Leaf, newest, rootOf } from "./log_files.ts";
import { logWords } from "./public_log_words.ts";

adopt(document, style);

const EVERY_MS = 20_000;
const SHOWN = 20;
/** Number of entries among which one's own games are looked for. */
const SEARCHED = 2048;
const GAMES = 20;
const KEPT = "log";

/** How the log fits what this browser has seen before. */
type Fit = "first" | "grown" | "replaced" | "smaller";

interface Look {
  readonly now: Checkpoint;
  readonly before: Checkpoint | null;
  readonly fit: Fit;
  readonly leaves: readonly Leaf[];
  readonly games: readonly Game[];
}

interface Game {
  readonly id: string;
  readonly isPublic: boolean;
  readonly leaf: Leaf | undefined;
}

export function PublicLog() {
  const words = logWords.value;
  useTitle(words.title);
  const [asked, again] = useAsked(look, [identity.value?.id]);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && again(), EVERY_MS);
    return () => clearInterval(timer);
  }, [asked]);
  return (
    <div class="public-log">
      <h1>{words.title}</h1>
      <p class="lead">{words.lead}</p>
      <Wait for={asked} again={again}>
        {(found) => (found ? <Found {...found} /> : <p>{words.none}</p>)}
      </Wait>
    </div>
  );
}

function Found({ now, before, fit, leaves, games }: Look) {
  const words = logWords.value;
  const isWrong = fit === "replaced" || fit === "smaller";
  return (
    <>
      <dl>
        <div>
          <dt>{words.entries}</dt>
          <dd>{now.size}</dd>
        </div>
        <div>
          <dt>{words.signed}</dt>
          <dd>{now.at ? <Time at={now.at.toISOString()} seconds /> : words.unsigned}</dd>
        </div>
        <div>
          <dt>{words.name}</dt>
          <dd>{now.origin}</dd>
        </div>
        <div>
          <dt>{words.witnesses}</dt>
          <dd>
            {now.witnesses.map(({ name, at }) => (
              <p key={name}>
                {words.seenBy(name)}
                <Time at={at.toISOString()} seconds />
              </p>
            ))}
            {now.witnesses.length === 0 && words.nobody}
          </dd>
        </div>
      </dl>
      <p class={isWrong ? "failed" : undefined} role={isWrong ? "alert" : "status"}>
        {fit === "grown"
          ? words.grown(before?.size ?? 0, now.size - (before?.size ?? 0))
          : words[fit]}
      </p>
      <p>{words.checkpoint}</p>
      <CopyableCode text={now.note} />
      {isWrong && before && (
        <>
          <p>{words.before}</p>
          <CopyableCode text={before.note} />
        </>
      )}
      {identity.value && <Yours games={games} size={now.size} />}
      <section aria-labelledby="newest">
        <h2 id="newest">{words.newest}</h2>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.entry}</th>
              <th scope="col">{words.which}</th>
              <th scope="col">{words.what}</th>
            </tr>
          </thead>
          <tbody>
            {leaves.slice(0, SHOWN).map((leaf) => (
              <tr key={leaf.number}>
                <td>{leaf.number}</td>
                <td>
                  {leaf.id.startsWith("~") && words.private}
                  {leaf.id && !leaf.id.startsWith("~") && <Named id={leaf.id} />}
                </td>
                <td>{said(leaf)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section aria-labelledby="check">
        <h2 id="check">{words.check}</h2>
        <p>{words.checkHow}</p>
        <CopyableCode text={`lonja audit ${location.origin} --log-key …`} />
        <p>
          <a href="/docs/proving#audit-a-service">{words.how}</a>
        </p>
      </section>
    </>
  );
}

function Yours({ games, size }: { games: readonly Game[]; size: number }) {
  const words = logWords.value;
  return (
    <section aria-labelledby="yours">
      <h2 id="yours">{words.yours}</h2>
      {games.length === 0 && <p>{words.noGames}</p>}
      {games.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{words.yourGame}</th>
              <th scope="col">{words.logged}</th>
            </tr>
          </thead>
          <tbody>
            {games.map(({ id, isPublic, leaf }) => (
              <tr key={id}>
                <td>
                  <Named id={id} />
                </td>
                <td>
                  {!isPublic && words.hidden}
                  {isPublic && leaf && words.event(leaf.seq, leaf.number)}
                  {isPublic && !leaf && words.older(Math.min(size, SEARCHED))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Named({ id }: { id: string }) {
  return <a href={`/${id.startsWith("t") ? "tournaments" : "games"}/${id}`}>{id}</a>;
}

/** What an entry says, in words; the `seq` of a game that is not public counts its entries. */
function said({ kind, id, seq, to }: Leaf): string {
  const words = logWords.value;
  const text = words.kinds[kind];
  if (!text) return words.later;
  if (kind === "created" || !id || id.startsWith("~")) return text;
  return `${text} (${words.upTo(to ?? seq)})`;
}

async function look(): Promise<Look | null> {
  const note = await read("checkpoint");
  if (!note) return null;
  const now = checkpoint(new TextDecoder().decode(note));
  const seen = kept<string>(KEPT);
  const before = seen === null ? null : checkpoint(seen);
  const fit = await fits(now, before);
  if (fit === "first" || fit === "grown") keep(KEPT, now.note);
  const searched = identity.peek() ? SEARCHED : SHOWN;
  const leaves = await newest(now.size, Math.min(now.size, searched), read);
  return { now, before, fit, leaves, games: await games(leaves) };
}

async function fits(now: Checkpoint, before: Checkpoint | null): Promise<Fit> {
  if (before === null) return "first";
  if (before.origin !== now.origin) return "replaced";
  if (before.size > now.size) return "smaller";
  const [head, same] = await Promise.all([
    rootOf(now.size, now.size, read),
    rootOf(before.size, now.size, read),
  ]);
  return head === now.root && same === before.root ? "grown" : "replaced";
}

async function games(leaves: readonly Leaf[]): Promise<Game[]> {
  if (!identity.peek()) return [];
  const page = await told(
    api.GET("/v1/games", { params: { query: { player: "me", limit: GAMES } } }),
  );
  return page.games.map(({ id, visibility }) => ({
    id,
    isPublic: visibility === "public",
    leaf: leaves.find((leaf) => leaf.id === id),
  }));
}

async function read(path: string): Promise<Uint8Array | null> {
  const cache = path === "checkpoint" ? "no-store" : "default";
  const answer = await fetch(`/log/${path}`, { cache });
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`/log/${path}: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}
