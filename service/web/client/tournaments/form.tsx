/** Creating a tournament: ruleset, entries and format, with a preview of its size. */

import { useEffect, useState } from "preact/hooks";
import { once, type Schemas, told } from "../api/client.ts";
import type { Ruleset } from "../board/rulesets.ts";
import { identity } from "../browser/identity.ts";
import { go } from "../browser/router.ts";
import { api, rulesets, service } from "../browser/service.ts";
import { somebody } from "../identity/signing.ts";
import { NameField, OptionFields } from "../parts/fields.tsx";
import { RulesetOptions, type Rulesets } from "../parts/filters.tsx";
import { Failed, useAsked, Wait } from "../parts/parts.tsx";
import { formWords } from "./form_words.ts";
import type { Plan } from "./shapes.ts";

type Request = Schemas["TournamentRequest"];

interface Entry {
  readonly bot: string;
  readonly name?: string;
  readonly settings?: Readonly<Record<string, number>>;
}

/** Further options, by their names in the API. */
type More = Pick<Request, "rotations" | "points" | "luck" | "failures">;

interface Format {
  readonly type: string;
  readonly options: Readonly<
    Record<string, { readonly default: number; readonly minimum: number; readonly maximum: number }>
  >;
}

const MOST_ENTRIES = 64;
/** The number of places that is preset if owners may enter their bots. */
const FIRST_PLACES = 8;
/** The tournament that is preset is short enough to watch. */
const FIRST_GAMES = 30;
const PREVIEW_MS = 300;

export function HoldForm({ games }: { games: Rulesets }) {
  const words = formWords.value;
  const [id, setId] = useState(games[0]?.id ?? "");
  return (
    <form class="form hold" onSubmit={(event) => event.preventDefault()}>
      <label>
        {words.ruleset}
        <select value={id} onChange={(event) => setId(event.currentTarget.value)}>
          <RulesetOptions games={games} />
        </select>
      </label>
      <TermsOf key={id} id={id} />
    </form>
  );
}

function TermsOf({ id }: { id: string }) {
  const [asked, again] = useAsked(
    () => Promise.all([rulesets.read(id), told(api.GET("/v1/tournament_formats"))]),
    [id],
  );
  return (
    <Wait for={asked} again={again}>
      {([found, { formats }]) => <Terms game={found} formats={formats as unknown as Format[]} />}
    </Wait>
  );
}

function Terms({ game, formats }: { game: Ruleset; formats: readonly Format[] }) {
  const words = formWords.value;
  const { summary } = game;
  const fewest = Math.max(2, summary.min_seats);
  const [seats, setSeats] = useState(fewest);
  const [options, setOptions] = useState<Record<string, unknown>>({});
  const [entries, setEntries] = useState<readonly Entry[]>(() => entriesFor(summary, fewest));
  const [format, setFormat] = useState<Record<string, unknown>>({
    type: "round_robin",
    games: FIRST_GAMES,
  });
  const [places, setPlaces] = useState<number | null>(null);
  const [more, setMore] = useState<More>({});
  const [title, setTitle] = useState("");
  const [name, setName] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const body = {
    ruleset: game.id,
    seats,
    options,
    entries: [...entries],
    format,
    ...more,
    ...(places === null ? {} : { places }),
    ...(title.trim() ? { name: title } : {}),
  } as Request; // `openapi.yaml` does not describe the objects of a plan
  const hold = async () => {
    setBusy(true);
    setError(null);
    try {
      await somebody(name);
      const made = await told(api.POST("/v1/tournaments", { body, params: { header: once() } }));
      go(`/tournaments/${made.id}`);
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <label>
        {words.seats}
        <select value={seats} onChange={(event) => setSeats(Number(event.currentTarget.value))}>
          {range(fewest, summary.max_seats).map((count) => (
            <option key={count} value={count}>
              {words.seatsOf(count)}
            </option>
          ))}
        </select>
      </label>
      <OptionFields game={game} options={options} onChange={setOptions} />
      <Entries
        bots={summary.bots}
        entries={entries}
        fewest={places === null ? 2 : 1}
        onChange={setEntries}
      />
      <PlacesField entries={entries.length} places={places} onChange={setPlaces} />
      <FormatFields formats={formats} format={format} onChange={setFormat} />
      <MoreFields more={more} onChange={setMore} />
      <label>
        {words.name} <small>{words.nameHint}</small>
        <input
          value={title}
          maxLength={60}
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
      </label>
      {!identity.value && <NameField name={name} onChange={setName} />}
      <Preview body={body} />
      <button type="submit" class="main" disabled={busy} onClick={hold}>
        {words.begin}
      </button>
      {error !== null && <Failed error={error} />}
    </>
  );
}

function entriesFor({ bots }: Schemas["Ruleset"], seats: number): Entry[] {
  const names = bots.map(({ name }) => name).sort();
  return Array.from({ length: Math.max(seats, 2) }, (_, index) => ({
    bot: names[index % names.length] ?? "",
  }));
}

function Entries({
  bots,
  entries,
  fewest,
  onChange,
}: {
  bots: readonly Schemas["Bot"][];
  entries: readonly Entry[];
  fewest: number;
  onChange: (entries: readonly Entry[]) => void;
}) {
  const words = formWords.value;
  const put = (index: number, entry: Entry) =>
    onChange(entries.map((old, at) => (at === index ? entry : old)));
  return (
    <fieldset>
      <legend>{words.entries}</legend>
      <ol class="entries">
        {entries.map((entry, index) => (
          <li key={`entry ${index + 1}`}>
            <div role="group" aria-label={words.entryOf(index + 1)}>
              <label>
                {words.bot}
                <select
                  value={entry.bot}
                  onChange={(event) => put(index, { bot: event.currentTarget.value })}
                >
                  {bots.map((bot) => (
                    <option key={bot.name} value={bot.name}>
                      {bot.name}
                    </option>
                  ))}
                </select>
              </label>
              <label>
                {words.entryName}
                <input
                  value={entry.name ?? ""}
                  placeholder={entry.bot}
                  maxLength={60}
                  onInput={(event) => put(index, named(entry, event.currentTarget.value))}
                />
              </label>
              <Settings
                bot={bots.find(({ name }) => name === entry.bot)}
                entry={entry}
                onChange={(changed) => put(index, changed)}
              />
              <button
                type="button"
                class="plain"
                disabled={entries.length <= fewest}
                onClick={() => onChange(entries.filter((_, at) => at !== index))}
              >
                <span aria-hidden="true">×</span>
                <span class="sr">{words.remove(index + 1)}</span>
              </button>
            </div>
          </li>
        ))}
      </ol>
      <button
        type="button"
        disabled={entries.length >= MOST_ENTRIES}
        onClick={() => onChange([...entries, { bot: entries.at(-1)?.bot ?? "" }])}
      >
        {words.add}
      </button>
    </fieldset>
  );
}

/** Whether owners may enter their bots, and up to how many entries; null if they may not. */
function PlacesField({
  entries,
  places,
  onChange,
}: {
  entries: number;
  places: number | null;
  onChange: (places: number | null) => void;
}) {
  const words = formWords.value;
  const preset = Math.min(MOST_ENTRIES, Math.max(FIRST_PLACES, entries + 1));
  return (
    <fieldset>
      <legend>{words.openEntries}</legend>
      <label class="check">
        <input
          type="checkbox"
          checked={places !== null}
          onChange={(event) => onChange(event.currentTarget.checked ? preset : null)}
        />
        {words.ownersMayEnter}
      </label>
      {places !== null && (
        <>
          <label>
            {words.places}
            <input
              type="number"
              min={entries + 1}
              max={MOST_ENTRIES}
              value={places}
              onInput={(event) => onChange(Number(event.currentTarget.value))}
            />
          </label>
          <small>{words.placesHint}</small>
        </>
      )}
    </fieldset>
  );
}

function named({ name: _, ...entry }: Entry, name: string): Entry {
  return name.trim() ? { ...entry, name } : entry;
}

function Settings({
  bot,
  entry,
  onChange,
}: {
  bot: Schemas["Bot"] | undefined;
  entry: Entry;
  onChange: (entry: Entry) => void;
}) {
  const own = entry.settings ?? {};
  return (
    <>
      {Object.entries((bot?.settings ?? {}) as Record<string, number>).map(([name, value]) => (
        <label key={name}>
          {name}
          <input
            type="number"
            min={1}
            max={1_000_000}
            value={own[name] ?? value}
            onInput={(event) =>
              onChange({
                ...entry,
                settings: { ...own, [name]: Number(event.currentTarget.value) },
              })
            }
          />
        </label>
      ))}
    </>
  );
}

function FormatFields({
  formats,
  format,
  onChange,
}: {
  formats: readonly Format[];
  format: Readonly<Record<string, unknown>>;
  onChange: (format: Record<string, unknown>) => void;
}) {
  const words = formWords.value;
  const chosen = formats.find(({ type }) => type === format.type);
  return (
    <fieldset>
      <legend>{words.format}</legend>
      <select
        aria-label={words.format}
        value={String(format.type)}
        onChange={(event) => onChange({ type: event.currentTarget.value })}
      >
        {formats.map(({ type }) => (
          <option key={type} value={type}>
            {words.formats[type] ?? type}
          </option>
        ))}
      </select>
      <small>{words.formatIs[String(format.type)]}</small>
      {Object.entries(chosen?.options ?? {}).map(([name, schema]) => (
        <label key={name}>
          {words.option[name] ?? name}
          <input
            type="number"
            min={schema.minimum}
            max={schema.maximum}
            value={Number(format[name] ?? schema.default)}
            onInput={(event) => onChange({ ...format, [name]: Number(event.currentTarget.value) })}
          />
        </label>
      ))}
    </fieldset>
  );
}

function MoreFields({ more, onChange }: { more: More; onChange: (more: More) => void }) {
  const words = formWords.value;
  const choice = <K extends "rotations" | "points" | "luck">(
    key: K,
    label: string,
    names: Readonly<Record<string, string>>,
  ) => (
    <label>
      {label}
      <select
        value={more[key] ?? Object.keys(names)[0]}
        onChange={(event) => onChange({ ...more, [key]: event.currentTarget.value || undefined })}
      >
        {Object.entries(names).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <details>
      <summary>{words.more}</summary>
      {choice("rotations", words.rotations, words.rotation)}
      {choice("points", words.counts, words.pointsOf)}
      {choice("luck", words.luck, words.luckOf)}
      <label>
        {words.failing}
        <select
          value={more.failures?.then ?? "resign"}
          onChange={(event) =>
            onChange({
              ...more,
              // biome-ignore lint/suspicious/noThenProperty: the API calls it so
              failures: { ...more.failures, then: event.currentTarget.value as "resign" },
            })
          }
        >
          {Object.entries(words.failingIs).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words.limit}
        <input
          type="number"
          min={1}
          max={600}
          value={more.failures?.processor_seconds ?? 10}
          onInput={(event) =>
            onChange({
              ...more,
              failures: {
                ...more.failures,
                processor_seconds: Number(event.currentTarget.value),
              },
            })
          }
        />
      </label>
    </details>
  );
}

/** The number of games as the service counts them, or the error in the plan. */
function Preview({ body }: { body: Request }) {
  const words = formWords.value;
  const [found, setFound] = useState<Schemas["TournamentPreview"] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const asked = JSON.stringify(body);
  useEffect(() => {
    let current = true;
    const timer = setTimeout(async () => {
      try {
        const foreseen = await told(api.POST("/v1/tournaments/preview", { body }));
        if (!current) return;
        setFound(foreseen);
        setError(null);
      } catch (problem) {
        if (current) setError(problem);
      }
    }, PREVIEW_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [asked]);
  if (error !== null) return <Failed error={error} />;
  return (
    <p class="preview" role="status">
      {found === null
        ? words.previewing
        : [
            words.preview(found.games, found.blocks, found.games_per_block),
            body.format?.type === "compare" && words.previewAtMost(found.games),
            body.places !== undefined && words.previewFull,
            words.lucks[(found.plan as unknown as Plan).luck ?? "block"],
            ...costs(found.estimate, words),
          ]
            .filter(Boolean)
            .join(" ")}
    </p>
  );
}

/** What the games cost, and how exact their points are, in sentences. */
function costs(found: Schemas["TournamentEstimate"], words: typeof formWords.value): string[] {
  const { processor_seconds: processor, stored_bytes: bytes, band } = found;
  return [
    ...(processor === null ? [] : [words.previewTime(timeOf(processor))]),
    ...(bytes === null ? [] : [words.previewStore(Math.ceil(bytes / 1e6))]),
    words.previewBand(Number(band.toPrecision(2))),
  ];
}

const UNITS = [
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** A duration in the largest unit of which there are two. */
function timeOf(seconds: number): string {
  const [unit, length] = UNITS.find(([, length]) => seconds >= 2 * length) ?? ["second", 1];
  const form = { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat(service.language, form).format(
    Math.max(1, Math.round(seconds / length)),
  );
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
