/** Opens a table for other people, with options. */

import { useState } from "preact/hooks";
import { type Schemas, told } from "../api/client.ts";
import type { Ruleset } from "../board/rulesets.ts";
import { identity } from "../browser/identity.ts";
import { language } from "../browser/language.ts";
import { api, rulesets } from "../browser/service.ts";
import { open, seatsFor } from "../identity/opening.ts";
import { NameField, OptionFields } from "../parts/fields.tsx";
import { RulesetOptions, type Rulesets } from "../parts/filters.tsx";
import { Failed, useAsked, Wait } from "../parts/parts.tsx";
import { botWords } from "../phrases/bots.ts";
import { phrases } from "../phrases/phrases.ts";
import { Beacons } from "../table/beacons.tsx";
import { Signing } from "../table/signs.tsx";
import { say } from "../words/labels.ts";
import { ClockChoice } from "./clock_choice.tsx";
import { CLOCKS, THREE_DAYS } from "./clocks.ts";
import { openWords } from "./open_words.ts";

type Request = Schemas["GameRequest"];
type Seat = Schemas["SeatRequest"];

/** The whole form; `preset` is the preselected game. */
export function OpenForm({ games, preset }: { games: Rulesets; preset: string }) {
  const [id, setId] = useState(
    games.some((game) => game.id === preset) ? preset : (games[0]?.id ?? ""),
  );
  const [asked, again] = useAsked(() => rulesets.read(id), [id]);
  const words = phrases.value;
  return (
    <form class="form" onSubmit={(event) => event.preventDefault()}>
      <label>
        {words.game}
        <select value={id} onChange={(event) => setId(event.currentTarget.value)}>
          <RulesetOptions games={games} />
        </select>
      </label>
      <Wait for={asked} again={again}>
        {(found) => <Terms key={found.id} game={found} />}
      </Wait>
    </form>
  );
}

function Terms({ game }: { game: Ruleset }) {
  const words = phrases.value;
  const { summary } = game;
  const [seats, setSeats] = useState(() => seatsFor(summary, Math.max(2, summary.min_seats)));
  const [options, setOptions] = useState<Record<string, unknown>>({});
  const [title, setTitle] = useState("");
  const [clockName, setClock] = useState(THREE_DAYS);
  const [visibility, setVisibility] = useState<"public" | "unlisted" | "private">("public");
  const [takesBack, setTakesBack] = useState(true);
  const [hints, setHints] = useState(false);
  const [signs, setSigns] = useState(false);
  const [late, setLate] = useState<Schemas["Beacon"]["late"] | null>(null);
  const [offered] = useAsked(() => told(api.GET("/v1/beacons")), []);
  const offers = offered.state === "here" && offered.value.beacons.length > 0;
  const [name, setName] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const seatCounts = Array.from(
    { length: summary.max_seats - summary.min_seats + 1 },
    (_, index) => summary.min_seats + index,
  );
  const resize = (count: number) =>
    setSeats([...seats.slice(0, count), ...seatsFor(summary, count).slice(seats.length)]);
  const people = seats.some(({ holder }) => holder !== "bot");
  const unlimited = visibility !== "public" || !people;
  const begin = async () => {
    setBusy(true);
    setError(null);
    const clock = CLOCKS[clockName];
    try {
      await open(
        {
          ruleset: game.id,
          options,
          seats,
          ...(clock ? { clock } : {}),
          ...(takesBack ? { take_back: true } : {}),
          ...(hints ? { hints } : {}),
          ...(signs ? { signatures: "required" } : {}),
          ...(late ? { entropy_mode: "beacon", beacon: { late } } : {}),
          table: { visibility, seating: "fixed", ...(title.trim() ? { title } : {}) },
        } as Request,
        name,
      );
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <fieldset>
        <legend>{words.players}</legend>
        <select
          aria-label={words.players}
          value={seats.length}
          onChange={(event) => resize(Number(event.currentTarget.value))}
        >
          {seatCounts.map((count) => (
            <option key={count} value={count}>
              {words.seats(count, count)}
            </option>
          ))}
        </select>
        <ol class="seats-form">
          {seats.map((seat, index) => (
            <li key={`seat ${index + 1}`}>
              <label>
                {say(game.words[language.value], `seat.${index}`)}
                <SeatChoice
                  seat={seat}
                  bots={summary.bots}
                  onChange={(chosen) =>
                    setSeats(seats.map((old, at) => (at === index ? chosen : old)))
                  }
                />
              </label>
            </li>
          ))}
        </ol>
      </fieldset>
      <OptionFields game={game} options={options} onChange={setOptions} />
      <ClockChoice value={clockName} onChange={setClock} unlimited={unlimited} />
      <label>
        {openWords.value.visibility}
        <select
          value={visibility}
          onChange={(event) => setVisibility(event.currentTarget.value as typeof visibility)}
        >
          <option value="public">{openWords.value.public}</option>
          <option value="unlisted">{openWords.value.unlisted}</option>
          <option value="private">{openWords.value.private}</option>
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={takesBack}
          onChange={(event) => setTakesBack(event.currentTarget.checked)}
        />
        {openWords.value.takesBack}
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={hints}
          onChange={(event) => setHints(event.currentTarget.checked)}
        />
        {openWords.value.hints}
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={signs}
          onChange={(event) => setSigns(event.currentTarget.checked)}
        />
        {openWords.value.signatures}
      </label>
      {signs && <Signing>{({ PlayersSign }) => <PlayersSign />}</Signing>}
      {offers && (
        <label class="check">
          <input
            type="checkbox"
            checked={late !== null}
            onChange={(event) => setLate(event.currentTarget.checked ? "abort" : null)}
          />
          {openWords.value.beacon}
        </label>
      )}
      {late && (
        <Beacons>{({ LateChoice }) => <LateChoice value={late} onChange={setLate} />}</Beacons>
      )}
      <label>
        {words.title} <small>{openWords.value.titleHint}</small>
        <input
          value={title}
          maxLength={80}
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
      </label>
      {!identity.value && <NameField name={name} onChange={setName} />}
      <button type="submit" class="main" disabled={busy} onClick={begin}>
        {openWords.value.create}
      </button>
      {error !== null && <Failed error={error} />}
    </>
  );
}

function SeatChoice({
  seat,
  bots,
  onChange,
}: {
  seat: Seat;
  bots: readonly Schemas["Bot"][];
  onChange: (seat: Seat) => void;
}) {
  const value = seat.holder === "bot" ? `bot ${seat.bot}` : seat.holder;
  const chosen = (text: string): Seat =>
    text.startsWith("bot ")
      ? { holder: "bot", bot: text.slice(4) }
      : { holder: text === "me" ? "me" : "open" };
  return (
    <select value={value} onChange={(event) => onChange(chosen(event.currentTarget.value))}>
      <option value="me">{openWords.value.me}</option>
      <option value="open">{openWords.value.openSeat}</option>
      {bots.map((bot) => (
        <option key={bot.name} value={`bot ${bot.name}`}>
          {`${bot.title} · ${botWords(bot)}`}
        </option>
      ))}
    </select>
  );
}
