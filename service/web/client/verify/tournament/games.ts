// Checks a game of a tournament against the stream: that it is exactly the game that was paired.

import type { Event } from "../events.ts";
import type { Findings } from "../findings.ts";
import { type CheckedGame, pinnedBy } from "../game.ts";
import { type Json, write } from "../json.ts";
import { CHANCE } from "../kinds.ts";
import { fitting } from "../shapes.ts";
import { gameId, saltOf, scopeOf, seedOf } from "./blocks.ts";
import type { Plan } from "./kinds.ts";
import type { Block, Stream } from "./stream.ts";

/**
 * By how much the times of two streams may contradict each other, in milliseconds: each may be two
 * seconds off.
 */
const OFF = 4_000;
const ENTROPY_SECONDS = 300;

/**
 * The chance commitment of the block's first game; the others must have the same one, unless each
 * game has luck of its own.
 */
export interface Luck {
  commitment: Json | null;
}

/**
 * Checks what the stream says about a game, which was already checked by itself; `seating` has the
 * entry of each seat.
 */
export function checkAgainst(
  stream: Stream,
  tournament: string,
  block: Block,
  rotation: number,
  seating: readonly number[],
  luck: Luck,
  game: CheckedGame,
  told: Findings,
): void {
  const differs = (field: string, found: Json | undefined, expected: Json | undefined) => {
    if (found === undefined || expected === undefined || write(found) !== write(expected))
      told.add(
        "game_differs",
        { row: game.row },
        {
          block: block.number,
          rotation,
          field,
          found: found === undefined ? "—" : write(found),
          expected: expected === undefined ? "—" : write(expected),
        },
      );
  };
  const { header, lines, course, salt, seed } = game;
  const { plan } = stream;
  const { luck: luckOf = "block" } = plan;
  const result = block.games[rotation];
  differs("game_id", header.game_id, gameId(tournament, block, rotation));
  differs("version", header.version, result?.version);
  differs("head", lines.at(-1)?.hash, result?.head);
  const first = lines[0]?.time ?? Number.NaN;
  const last = lines.at(-1)?.time ?? Number.NaN;
  if (!(first >= block.paired.time - OFF && last <= block.ended.time + OFF))
    told.add("game_time", { row: game.row }, { block: block.number, rotation });
  const { newer } = game;
  const chance = fitting(CHANCE, pinnedBy(lines[0])?.chance);
  if (chance !== null) {
    differs("scope", chance.scope, scopeOf(stream.scope, block, rotation, luckOf));
    luck.commitment ??= chance.commitment;
    if (luckOf === "block") differs("commitment", chance.commitment, luck.commitment);
  }
  if (stream.key !== null) {
    if (!newer.any || salt !== null)
      differs("salt", salt ?? undefined, saltOf(stream.key, block, rotation));
    if (!newer.any || seed !== null)
      differs("chance seed", seed ?? undefined, seedOf(stream.key, block, rotation, luckOf));
  }
  if (course === null || newer.any) return;
  const events = (game.events ?? []) as readonly Event[]; // the game has no unknown parts

  const created = course.game;
  differs("ruleset", created.ruleset, plan.ruleset);
  differs("rules_version", created.rules_version, plan.rules_version);
  differs("options", created.options, plan.options);
  differs("seats", created.seats, plan.seats);
  const remote = seating.some((entry) => "player" in (plan.entries[entry] ?? {}));
  differs("clock", created.clock as Json, remote ? ((plan.clock ?? null) as Json) : null);
  differs("visibility", created.visibility, remote ? "seats" : "block");
  differs("entropy.seconds", created.entropy.seconds, ENTROPY_SECONDS);
  if (plan.tables === null) differs("tables", "tables" in created.data, false);
  else {
    differs("edition", created.data.edition, plan.tables.edition);
    differs("tables", created.data.digest, plan.tables.digest);
  }
  differs("by", lines[0]?.by, { tournament });
  seating.forEach((entry, seat) => {
    const planned = plan.entries[entry];
    if (planned === undefined) return;
    const holder =
      "player" in planned
        ? { player: planned.player }
        : { bot: planned.bot, version: planned.version, settings: planned.settings };
    const sits = course.seats.get(seat);
    differs(`seat ${seat}`, sits?.holder as Json | undefined, holder);
    differs(`entropy of seat ${seat}`, sits?.commitment, null);
  });
  const standings = events.flatMap((event) =>
    event.kind === "ended" ? (event.body.result?.standings ?? []) : [],
  );
  const seated = standings.slice(0, plan.seats);
  const ranks = seated.map(({ rank }) => rank);
  // The tournament's ranks leave out sides that the rules play.
  const among = ranks.map((rank) => 1 + ranks.filter((other) => other < rank).length);
  differs("ranks", among, result?.ranks as Json | undefined);
  differs(
    "scores",
    seated.map(({ score }) => score),
    result?.scores as Json | undefined,
  );
  const listed = events.flatMap(({ kind, body }) => {
    if (kind === "bot_failed" && body.failure && body.error !== undefined)
      return [[body.failure.seat, body.failure.decision, body.error]];
    if (kind === "timed_out" && body.time_out)
      return [[body.time_out.seat, body.time_out.decision, "timed_out"]];
    return [];
  });
  differs("failures", listed, result?.failures as Json | undefined);
  checkPolicy(plan.failures.then, events, told);
  checkCode(stream, block, events, told);
  checkBudgets(plan, events, told);
}

/**
 * If the plan says so, a seat resigns when its bot fails, or when the time of its player is up; no
 * other seat of a bot resigns, but a player may resign at any time. Two causes do not
 * count as failures of the bot: if it is not installed, the tournament waits, and if it was
 * stopped, its block is played again.
 */
function checkPolicy(
  then: "resign" | "default_move",
  events: readonly Event[],
  told: Findings,
): void {
  for (const event of events) {
    if (event.kind !== "bot_failed" && event.kind !== "timed_out") continue;
    const ofBot = event.kind === "bot_failed";
    const failed = ofBot ? event.body.failure : event.body.time_out;
    const cause = ofBot ? event.body.failure?.cause : undefined;
    if (cause === "missing" || cause === "stopped") told.add("never_fails", event, { cause });
    // The default move of a failed bot is in the same batch, and may have ended the game.
    const next = events[event.last];
    if (next === undefined || next.kind === "chance_revealed") continue;
    const resigns = next.kind === "resigned" && next.by.seat === failed?.seat;
    if (then === "resign" ? !resigns : resigns && ofBot) told.add("policy", event, { then });
  }
}

/** The bot that made a move, with its version, as the move's causer names it. */
const moverOf = ({ by }: Event): string =>
  "bot" in by && typeof by.bot === "string" ? by.bot : "";

/** If the stream has not declared the code of a bot, that is a fault. */
function checkCode(stream: Stream, block: Block, events: readonly Event[], told: Findings): void {
  for (const event of events) {
    const bot = event.kind === "moved" || event.kind === "bot_failed" ? event.body.bot : undefined;
    // A move without a digest was chosen by the code of the seat's move before.
    if (bot === undefined || (bot.digest ?? null) === null) continue;
    const name = "bot" in bot ? `${bot.bot}@${bot.version}` : moverOf(event);
    const named = `${name} ${bot.digest}`;
    const declared = stream.declared.get(named) ?? Number.POSITIVE_INFINITY;
    if (declared > block.ended.seq) told.add("code_undeclared", event, { bot: named });
  }
}

/** Bots decide within the budgets of the plan, and no time is told without any. */
function checkBudgets({ failures, seats }: Plan, events: readonly Event[], told: Findings): void {
  const none = { budget_seconds: null, increment_seconds: 0 };
  const { budget_seconds, increment_seconds } = { ...none, ...failures };
  const left = new Array<number>(seats).fill(1e6 * (budget_seconds ?? 0));
  for (const event of events) {
    const moved = event.kind === "moved";
    if (!moved && event.kind !== "bot_failed") continue;
    const seat = moved ? event.by.seat : event.body.failure?.seat;
    const { bot } = event.body;
    if (bot === undefined || seat === undefined) continue;
    const cpu = "cpu_us" in bot ? bot.cpu_us : undefined;
    if ((cpu === undefined) !== (budget_seconds === null)) told.add("budget_untold", event);
    const had = left[seat] ?? 0;
    if (moved && budget_seconds !== null && had <= 0) told.add("budget_used", event, { seat });
    left[seat] = Math.max(0, had - (cpu ?? 0)) + (moved ? 1e6 * increment_seconds : 0);
  }
}
