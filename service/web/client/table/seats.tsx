/** The list of players: the sign of each seat, whose turn it is, and who the viewer is. */

import type { Schemas } from "../api/client.ts";
import type { Ruleset } from "../board/rulesets.ts";
import { coloursOf, SeatSign } from "../board/shapes.tsx";
import { identity } from "../browser/identity.ts";
import { language } from "../browser/language.ts";
import { dark } from "../browser/theme.ts";
import { botWords } from "../phrases/bots.ts";
import { phrases } from "../phrases/phrases.ts";
import { Glyph } from "../play/glyph.tsx";
import { seatName } from "../play/names.ts";
import { Left } from "../play/questions.tsx";
import { type Game, holderName, type Table } from "../play/table.ts";
import { say } from "../words/labels.ts";
import { GaveEntropy } from "./entropy.tsx";
import { Face } from "./face.tsx";
import { BotMark } from "./holder.tsx";
import { Resign } from "./result.tsx";
import { Signed } from "./signs.tsx";
import { tableWords } from "./words.ts";

/** What is left of a seat's time for the whole game; it only falls while `isNow`. */
function SeatBudget({ budget, isNow }: { budget?: Schemas["Budget"] | undefined; isNow: boolean }) {
  if (!budget) return null;
  const { left_ms: most, falls_since: since } = budget;
  const until = isNow && since !== null ? Date.parse(since) + most : null;
  return (
    <>
      {" "}
      <Left until={until} most={most} title={tableWords.value.budgetLeft} />
    </>
  );
}

export function Seats({ table, game, ruleset }: { table: Table; game: Game; ruleset: Ruleset }) {
  const words = phrases.value;
  const labels = ruleset.words[language.value];
  const isNow = table.shown.value === table.newest.value;
  const budgets = new Map(table.frame.value?.state.budgets.map((one) => [one.seat, one]));
  const asked = new Set(table.frame.value?.state.decisions.map(({ seat }) => seat));
  const own = table.own.value;
  const eyes = table.openEyes.value;
  return (
    <section
      class="seats"
      aria-labelledby="seats"
      style={ruleset.board ? coloursOf(ruleset.board, dark.value) : {}}
    >
      <h2 id="seats">{tableWords.value.players2}</h2>
      <ul>
        {game.seats.map((seat) => (
          <li key={seat.seat} class={asked.has(seat.seat) ? "asked" : ""}>
            {ruleset.board?.seats[seat.seat] && (
              <svg class="sign-mark" viewBox="-14 -14 28 28" aria-hidden="true">
                <SeatSign sign={ruleset.board.seats[seat.seat] as never} />
              </svg>
            )}
            <span>
              {seat.player ? (
                <>
                  {seat.kind === "bot" && <Face of={seat.player} />}
                  <a href={`/players/${seat.player}`}>{holderName(seat)}</a>
                  <BotMark of={seat.kind} />
                </>
              ) : (
                <>
                  {seat.bot && <Face of={seat.bot} />}
                  <span>{holderName(seat)}</span>
                </>
              )}{" "}
              <small class="quiet">
                {seat.kind === "bot" && "· "}
                {say(labels, `seat.${seat.seat}`)}
                {seat.player && seat.player === identity.value?.id && ` · ${words.you}`}
                {seat.bot &&
                  ` · ${botWords(ruleset.summary.bots.find(({ name }) => name === seat.bot))}`}
                {seat.resigned && ` · ${tableWords.value.resigned}`}
              </small>
              <SeatBudget budget={budgets.get(seat.seat)} isNow={isNow && !table.over.value} />
            </span>
            {asked.has(seat.seat) && (
              <span class="turn" title={tableWords.value.turnOf}>
                <Glyph path="M14 4 5 10l9 6z" />
                <span class="sr">, {tableWords.value.turnOf}</span>
              </span>
            )}
          </li>
        ))}
      </ul>
      {game.table.rating_rule === 0 && <p class="quiet not-rated">{tableWords.value.notRated}</p>}
      {eyes.length > 0 && (
        <label class="eyes">
          {tableWords.value.eyes}{" "}
          <select
            value={table.eyes.value ?? "spectator"}
            onChange={(event) => {
              const { value } = event.currentTarget;
              void table.look(value === "spectator" ? null : Number(value));
            }}
          >
            <option value="spectator">{tableWords.value.spectator}</option>
            {eyes.map((seat) => (
              <option key={seat} value={seat}>
                {seatName(game, ruleset, seat, language.value)}
              </option>
            ))}
          </select>
        </label>
      )}
      <GaveEntropy game={game} ruleset={ruleset} />
      <Signed game={game}>
        {({ PlayersSign, HandOver }) => (
          <>
            <PlayersSign />
            <HandOver {...{ table, game }} />
          </>
        )}
      </Signed>
      {!table.over.value && own.map((seat) => <Resign key={seat} table={table} seat={seat} />)}
    </section>
  );
}
