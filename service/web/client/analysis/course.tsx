/** The lead in the course of a finished game, and its turning points. */

import { told } from "../api/client.ts";
import { api } from "../browser/service.ts";
import { useAsked, Wait } from "../parts/parts.tsx";
import { whole } from "../phrases/numbers.ts";
import type { Game, Table } from "../play/table.ts";
import { Leads } from "./leads.tsx";
import { scoreWords, signed } from "./score_words.ts";
import { aheadSince, leadsOf, type Moment, turningPoints } from "./scores.ts";
import type { Names } from "./sheet.tsx";

const PAGE = 1000;
/** The number of sentences of an event that are quoted. */
const QUOTED = 4;

interface Course {
  readonly sides: readonly string[];
  readonly moments: readonly Moment[];
}

export function CourseOfScores({ table, nameOf }: { table: Table; nameOf: Names }) {
  const [asked, again] = useAsked(() => read(table.id), [table.id]);
  return (
    <Wait for={asked} again={again}>
      {(course) => <Shown table={table} course={course} nameOf={nameOf} />}
    </Wait>
  );
}

async function read(id: string): Promise<Course> {
  const moments: Moment[] = [];
  let sides: readonly string[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(id, after);
    moments.push(...page.scores);
    ({ sides, next_after: after } = page);
  }
  return { sides, moments };
}

function pageOf(id: string, after: number) {
  return told(
    api.GET("/v1/games/{game_id}/scores", {
      params: { path: { game_id: id }, query: { after, limit: PAGE } },
    }),
  );
}

/** Nothing if there is no lead: the ruleset cannot tell, or one side plays alone. */
function Shown({ table, course, nameOf }: { table: Table; course: Course; nameOf: Names }) {
  const words = scoreWords.value;
  const { sides, moments } = course;
  if (sides.length < 2 || moments.length < 2) return null;
  const names = sides.map(nameOf);
  const side = firstOf(table.game.value, course);
  const turns = turningPoints(moments, side);
  const leads = moments.map(({ scores }) => leadsOf(scores));
  return (
    <>
      <Leads
        caption={words.lead}
        note={words.leadIs}
        names={names}
        along={moments.map(({ seq }) => seq)}
        lines={names.map((_, nth) => leads.map((of) => of[nth] ?? 0))}
        until={table.newest.value}
        shown={table.wanted.value}
        go={(seq) => table.go(seq)}
        marks={({ x }, heightOf) =>
          turns.map(({ seq }) => (
            <circle key={seq} class="turning" r="6" cx={x.at(seq)} cy={heightOf(side, seq)} />
          ))
        }
        head={words.event}
        cells={(index) =>
          moments[index]?.scores.map(
            (score, nth) => `${whole(score)} (${signed(leads[index]?.[nth] ?? 0)})`,
          ) ?? []
        }
      />
      {turns.length > 0 && (
        <section aria-labelledby="turning">
          <h2 id="turning">{words.turning}</h2>
          <p class="quiet">{words.turningIs(names[side] ?? "")}</p>
          <ol class="turns">
            {turns.map(({ seq, change, lead }) => (
              <li key={seq}>
                <a href={`#v=${seq}`}>
                  {words.event} {whole(seq)}
                </a>
                : <strong>{words.change(change)}</strong>, {standing(lead)}
                <small>{quoted(table, seq)}</small>
              </li>
            ))}
          </ol>
          <Since since={aheadSince(moments, side)} wins={(leads.at(-1)?.[side] ?? 0) >= 0}>
            {names[side] ?? ""}
          </Since>
        </section>
      )}
    </>
  );
}

/** The side that came first; in a game without a result, the one with the most points. */
function firstOf(game: Game | null, { sides, moments }: Course): number {
  const first = game?.standings[0]?.side;
  if (first !== undefined) return sides.indexOf(first);
  const scores = moments.at(-1)?.scores ?? [];
  return scores.indexOf(Math.max(...scores));
}

function standing(lead: number): string {
  const words = scoreWords.value;
  if (lead === 0) return words.level;
  return lead > 0 ? words.ahead(lead) : words.behind(-lead);
}

/** What the log tells of an event. */
function quoted(table: Table, seq: number): string {
  return table.log.value
    .filter((line) => line.seq === seq && line.text !== "")
    .slice(0, QUOTED)
    .map(({ text }) => text)
    .join(" · ");
}

function Since({
  since,
  wins,
  children: name,
}: {
  since: number | null;
  wins: boolean;
  children: string;
}) {
  const words = scoreWords.value;
  if (!wins) return null;
  if (since === null) return <p>{words.always(name)}</p>;
  return (
    <p>
      <a href={`#v=${since}`}>
        {words.event} {whole(since)}
      </a>
      : {words.since(name)}
    </p>
  );
}
