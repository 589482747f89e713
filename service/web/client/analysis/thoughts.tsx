/** The thoughts of the bot that moved, which are hidden until the game is over: the candidates of
 * a bot of the service, or what the program of a player sent. */

import { type Schemas, told } from "../api/client.ts";
import type { Ruleset } from "../board/rulesets.ts";
import { api } from "../browser/service.ts";
import { Grid } from "../charts/frame.tsx";
import { useAsked, Wait } from "../parts/parts.tsx";
import { whole } from "../phrases/numbers.ts";
import { Folded } from "../play/folded.tsx";
import type { Table } from "../play/table.ts";
import { type LeadScale, leads, scaleAt } from "./scale.ts";
import { analysisWords, points } from "./words.ts";

interface Candidate {
  readonly move: unknown;
  readonly looks: number;
  readonly visits: number;
  /** The expected value for each seat; empty if no playout with the move was finished. */
  readonly expected: readonly number[];
}

/** The parts of a bot's move event, once the game is over. */
interface Body {
  readonly move?: unknown;
  readonly bot?: { readonly thoughts: { readonly candidates?: readonly Candidate[] } };
  readonly thoughts?: object;
}

/** The candidates with their labels, which of them was played, and what a player's program sent. */
interface Told {
  readonly candidates: readonly (Candidate & { readonly text: string })[];
  readonly played: string;
  readonly thoughts: string;
}

export function Thoughts({
  table,
  ruleset,
  names,
}: {
  table: Table;
  ruleset: Ruleset;
  names: readonly string[];
}) {
  const shown = table.shown.value;
  const scales = ruleset.summary.lead_scale as LeadScale;
  const thirds = scales[names.length]?.thoughts;
  const scale = scaleAt(thirds, shown, table.game.value?.version ?? shown);
  const mover = table.frame.value?.mover ?? null;
  const seat = table.game.value?.seats.find((each) => each.seat === mover);
  const isBot = seat?.holder === "bot" || seat?.kind === "bot";
  if (mover === null || !isBot) return null;
  return (
    <Folded class="thoughts" summary={analysisWords.value.thoughts(names[mover] ?? "")}>
      {() => <Candidates game={table.id} seq={shown} mover={mover} names={names} scale={scale} />}
    </Folded>
  );
}

function Candidates({
  game,
  seq,
  mover,
  names,
  scale,
}: {
  game: string;
  seq: number;
  mover: number;
  names: readonly string[];
  scale: number;
}) {
  const words = analysisWords.value;
  const [asked, again] = useAsked(() => read(game, seq, mover), [game, seq, mover]);
  return (
    <Wait for={asked} again={again}>
      {({ candidates, played, thoughts }) =>
        candidates.length === 0 ? (
          thoughts === "" ? (
            <p class="quiet">{words.noThoughts}</p>
          ) : (
            <pre>{thoughts}</pre>
          )
        ) : (
          <Grid
            label={words.thoughts(names[mover] ?? "")}
            head={[words.move, words.visits, words.looks, ...names.map(words.expected)]}
            rows={candidates.map(({ text, visits, looks, expected }) => [
              text === played ? (
                <strong>
                  {text} ({words.chosen})
                </strong>
              ) : (
                text
              ),
              whole(visits),
              points(scale * (looks - best(candidates)), true),
              ...names.map((_, at) => leadOf(expected, at, scale)),
            ])}
          />
        )
      }
    </Wait>
  );
}

/** The highest value right after a move. Of the other values, only the order means anything. */
function best(candidates: readonly Candidate[]): number {
  return Math.max(...candidates.map(({ looks }) => looks));
}

/** The lead that the bot expects for a seat, in points. */
function leadOf(expected: readonly number[], seat: number, scale: number): string {
  const lead = leads(expected)[seat];
  return lead === undefined ? "–" : points(scale * lead, true);
}

/** Reads the event, and the legal moves before it with their labels. */
async function read(game: string, seq: number, mover: number): Promise<Told> {
  const page = await told(
    api.GET("/v1/games/{game_id}/events", {
      params: {
        path: { game_id: game },
        query: { after: seq - 2, limit: 2, include: ["legal_moves"], seat: mover },
      },
    }),
  );
  const [before, event] = typeof page === "string" ? [] : page.events;
  const { move, bot, thoughts } = (event?.body ?? {}) as Body;
  const candidates = bot?.thoughts.candidates ?? [];
  return {
    candidates: candidates.map((each) => ({ ...each, text: textOf(before, each.move) })),
    played: textOf(before, move),
    thoughts: thoughts === undefined ? "" : JSON.stringify(thoughts, null, 2),
  };
}

/** The label of a move, if it is among the legal moves; otherwise its JSON. */
function textOf(before: Schemas["Event"] | undefined, move: unknown): string {
  const wanted = JSON.stringify(move);
  const legal = before?.legal_moves;
  const at = legal?.moves.findIndex((each) => JSON.stringify(each) === wanted) ?? -1;
  return legal?.labels[at] ?? wanted ?? "";
}
