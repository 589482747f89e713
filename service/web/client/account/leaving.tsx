/** The player's data as a file, and the deletion of the account. */

import { useState } from "preact/hooks";
import { once, told } from "../api/client.ts";
import { Refusal } from "../api/problem.ts";
import { saveAs } from "../browser/files.ts";
import { signOut } from "../browser/identity.ts";
import { api } from "../browser/service.ts";
import { Doing } from "../parts/parts.tsx";
import { Sure } from "./sure.tsx";
import { accountWords } from "./words.ts";

export function Export({ id }: { id: string }) {
  const words = accountWords.value;
  const save = async () => {
    const file = await told(api.GET("/v1/players/me/export", { parseAs: "blob" }));
    saveAs(`lonja-${id}.json`, file as unknown as Blob);
  };
  return (
    <>
      <p>
        {words.dataAre} <a href="/docs/privacy">{words.privacy}</a>
      </p>
      <Doing does={save}>{words.save}</Doing>
    </>
  );
}

/** Deletes the account, and has the browser forget the key; then `onLeft` is called. */
export function Leave({ id, name, onLeft }: { id: string; name: string; onLeft: () => void }) {
  const words = accountWords.value;
  const [resign, setResign] = useState(false);
  const [playing, setPlaying] = useState<{ to: string; text: string }[]>([]);
  const leave = async () => {
    const body = { id, resign };
    try {
      await told(api.DELETE("/v1/players/me", { body, params: { header: once() } }));
    } catch (error) {
      if (error instanceof Refusal) setPlaying(underWay(error));
      throw error;
    }
    signOut();
    onLeft();
  };
  return (
    <details class="card">
      <summary>{words.leave}</summary>
      <p>
        {words.leaveIs}{" "}
        <a href="/docs/privacy#what-leaving-removes-and-what-remains">{words.privacy}</a>
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={resign}
          onChange={(event) => setResign(event.currentTarget.checked)}
        />{" "}
        {words.resign}
      </label>
      <Sure label={words.leave} question={words.leaveSure(name)} yes={words.leaveIt} does={leave} />
      {playing.length > 0 && (
        <p>
          {words.playing}{" "}
          {playing.map(({ to, text }, index) => (
            <span key={to}>
              {index > 0 && ", "}
              <a href={to}>{text}</a>
            </span>
          ))}
        </p>
      )}
    </details>
  );
}

/** The games and tournaments that a refusal names, as links. */
function underWay({ problem }: Refusal): { to: string; text: string }[] {
  const words = accountWords.value;
  const named = (ids: unknown, place: string, text: (nth: number) => string) =>
    ((ids ?? []) as string[]).map((id, index) => ({
      to: `/${place}/${id}`,
      text: text(index + 1),
    }));
  return [
    ...named(problem.games, "games", words.game),
    ...named(problem.tournaments, "tournaments", words.tournament),
  ];
}
