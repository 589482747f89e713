/** Seeking others to play with: the form, one's seeks that wait, and those of others. */

import { useEffect, useState } from "preact/hooks";
import { type Schemas, told } from "../api/client.ts";
import { identity } from "../browser/identity.ts";
import { api } from "../browser/service.ts";
import { guestName } from "../identity/signing.ts";
import { RulesetOptions, type Rulesets } from "../parts/filters.tsx";
import { Doing, Failed, Time, useActing, useAsked } from "../parts/parts.tsx";
import { phrases } from "../phrases/phrases.ts";
import { BotMark } from "../table/holder.tsx";
import { ClockChoice } from "./clock_choice.tsx";
import { CLOCKS, clockInWords, FIVE_MINUTES } from "./clocks.ts";
import { seekWords } from "./seek_words.ts";
import { cancel, forget, type OwnSeek, readOwn, type Seek, seek, sought } from "./seeking.ts";

type Request = Schemas["SeekRequest"];

const LIST_EVERY_MS = 10_000;

export function Seeks({ games, preset }: { games: Rulesets; preset: string }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (identity.value) readOwn().catch(() => {});
  }, [identity.value?.id]);
  return (
    <>
      {sought.value.map((one) => (
        <Own key={one.id} one={one} games={games} />
      ))}
      <details class="card" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary class="button main">{seekWords.value.seek}</summary>
        <SeekForm games={games} preset={preset} done={() => setOpen(false)} />
      </details>
      <Others games={games} />
    </>
  );
}

/** What a seek wants, in a line. */
function termsOf(one: Seek, games: Rulesets): string {
  const words = seekWords.value;
  const title = games.find(({ id }) => id === one.ruleset)?.title ?? one.ruleset;
  const clock = one.clock && clockInWords(one.clock);
  const range = words.range(one.min_rating, one.max_rating);
  const others = one.rated || one.opponents === "anybody" ? "" : words.opponents[one.opponents];
  return [title, words.players(one.seats), clock, one.rated && words.rated, others, range]
    .filter(Boolean)
    .join(" · ");
}

function Own({ one, games }: { one: OwnSeek; games: Rulesets }) {
  const words = seekWords.value;
  const waits = one.status === "waiting";
  return (
    <div class="card" role="status">
      <p>
        <strong>{waits ? words.waiting : one.reason ? words.refused : words.ended}</strong>{" "}
        {termsOf(one, games)}
        {one.reason && (
          <>
            {" "}
            (<a href={`/docs/problems/${one.reason}`}>{one.reason}</a>)
          </>
        )}
      </p>
      <p class="actions">
        {waits ? (
          <Doing does={() => cancel(one.id)}>{words.cancel}</Doing>
        ) : (
          <button type="button" onClick={() => forget(one.id)}>
            {words.close}
          </button>
        )}
        {waits && (
          <small class="quiet">
            {words.until} <Time at={one.until} />
          </small>
        )}
      </p>
    </div>
  );
}

function SeekForm({ games, preset, done }: { games: Rulesets; preset: string; done: () => void }) {
  const words = seekWords.value;
  const { game: gameWord, players } = phrases.value;
  const [id, setId] = useState(
    games.some((one) => one.id === preset) ? preset : (games[0]?.id ?? ""),
  );
  const [seats, setSeats] = useState(2);
  const [clock, setClock] = useState(FIVE_MINUTES);
  const [opponents, setOpponents] = useState<Request["opponents"]>("anybody");
  const [rated, setRated] = useState(false);
  const [least, setLeast] = useState("");
  const [most, setMost] = useState("");
  const game = games.find((one) => one.id === id);
  const fewest = Math.max(2, game?.min_seats ?? 2);
  const counts = Array.from(
    { length: (game?.max_seats ?? 2) - fewest + 1 },
    (_, index) => fewest + index,
  );
  const wanted = counts.includes(seats) ? seats : fewest;
  const ranged = rated || opponents === "people";
  const { busy, error, act } = useActing(async () => {
    const range = {
      ...(ranged && least !== "" ? { min_rating: Number(least) } : {}),
      ...(ranged && most !== "" ? { max_rating: Number(most) } : {}),
    };
    const whom = rated ? "people" : opponents;
    await seek(
      {
        ruleset: id,
        seats: wanted,
        clock: CLOCKS[clock],
        rated,
        opponents: whom,
        ...range,
      } as Request,
      guestName(),
    );
    done();
  });
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void act();
      }}
    >
      <label>
        {gameWord}
        <select value={id} onChange={(event) => setId(event.currentTarget.value)}>
          <RulesetOptions games={games} />
        </select>
      </label>
      <label>
        {players}
        <select value={wanted} onChange={(event) => setSeats(Number(event.currentTarget.value))}>
          {counts.map((count) => (
            <option key={count} value={count}>
              {words.players(count)}
            </option>
          ))}
        </select>
      </label>
      <ClockChoice value={clock} onChange={setClock} unlimited={false} />
      <label class="check">
        <input
          type="checkbox"
          checked={rated}
          onChange={(event) => setRated(event.currentTarget.checked)}
        />
        {words.isRated}
      </label>
      {!rated && (
        <label>
          {words.with}
          <select
            value={opponents}
            onChange={(event) =>
              setOpponents(event.currentTarget.value as NonNullable<Request["opponents"]>)
            }
          >
            {(["anybody", "people", "bots"] as const).map((who) => (
              <option key={who} value={who}>
                {words.opponents[who]}
              </option>
            ))}
          </select>
        </label>
      )}
      {ranged && (
        <fieldset>
          <legend>{words.rating}</legend>
          <Bound label={words.atLeast} value={least} onChange={setLeast} />
          <Bound label={words.atMost} value={most} onChange={setMost} />
          <small class="quiet">{words.newcomers}</small>
        </fieldset>
      )}
      <button type="submit" class="main" disabled={busy}>
        {words.seek}
      </button>
      {error !== null && <Failed error={error} />}
    </form>
  );
}

function Bound({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <label>
      {label}
      <input
        type="number"
        min="0"
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}

/** The seeks of others; to join one is to seek the same. */
function Others({ games }: { games: Rulesets }) {
  const words = seekWords.value;
  const [asked, again] = useAsked(
    () => told(api.GET("/v1/seeks", { params: { query: { limit: 50 } } })),
    [sought.value],
  );
  useEffect(() => {
    const timer = setInterval(again, LIST_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  if (asked.state !== "here") return null;
  const { players, player_kinds: kinds } = asked.value;
  const others = asked.value.seeks.filter(({ player }) => player !== identity.value?.id);
  if (others.length === 0) return null;
  const join = ({ ruleset, seats, options, clock, rated }: Seek) =>
    seek({ ruleset, seats, options, rated, ...(clock ? { clock } : {}) } as Request, guestName());
  return (
    <section aria-labelledby="seekers">
      <h2 id="seekers">{words.others}</h2>
      <ul class="rows">
        {others.map((one) => (
          <li key={one.id}>
            <span class="who">
              {players[one.player]}
              <BotMark of={kinds[one.player]} />
            </span>
            <span>{termsOf(one, games)}</span>
            <Doing does={() => join(one)} name={`${words.join}: ${players[one.player]}`}>
              {words.join}
            </Doing>
          </li>
        ))}
      </ul>
    </section>
  );
}
