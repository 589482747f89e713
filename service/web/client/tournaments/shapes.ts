/**
 * The types of plans and of the figures in reports, which docs/tournaments.md defines, but not
 * `openapi.yaml`.
 */

import type { Schemas } from "../api/client.ts";

export interface Plan {
  readonly ruleset: string;
  readonly seats: number;
  /** `player` is the bot account that plays from elsewhere; for other entries undefined. */
  readonly entries: readonly {
    readonly name: string;
    readonly player?: string;
    readonly version?: string;
  }[];
  readonly format: Readonly<Record<string, unknown>> & { readonly type: string };
  readonly rotations: string;
  readonly points: string;
  readonly rated: boolean;
  /** Without it, the games of a block have the same luck. */
  readonly luck?: "game";
  /** The number of entries at most, if owners may enter their bots before the start. */
  readonly places?: number;
}

export type Band = readonly [low: number, high: number];

export interface Row {
  readonly place: number;
  readonly entry: string;
  readonly bot: string;
  readonly settings: Readonly<Record<string, number>>;
  /** The bot account that plays from elsewhere, and its owner; for other entries undefined. */
  readonly player?: string;
  readonly owner?: string;
  readonly games: number;
  readonly points: number;
  readonly points_per_game: number;
  readonly points_band: Band | null;
  readonly wins: number;
  readonly ranks: readonly number[];
  readonly mean_score: number;
  readonly elo: number | null;
  readonly elo_band: Band | null;
  readonly byes: number;
  readonly failures: number;
  readonly disqualified: boolean;
}

export interface SeatWorth {
  readonly seat: number;
  readonly points_per_game: number;
  readonly advantage: number | null;
  readonly band: Band | null;
}

export interface Verdict {
  readonly verdict: string;
  readonly margin: number;
  readonly alpha: number;
  readonly beta: number;
  readonly evidence_better: number;
  readonly evidence_not_better: number;
}

/** How often an entry was first, and how often its rating promises that. */
interface Residual {
  readonly games: number;
  readonly wins: number;
  readonly promised: number;
  readonly z: number;
}

/** The type of the API, with more precise types for some members. */
type Told<T, Shape> = {
  readonly [K in keyof T as K extends keyof Shape ? never : string extends K ? never : K]: T[K];
} & Shape;

/** An entry that went out, and the last block that counted for it. */
interface Out {
  readonly entry: string;
  readonly after_block: number;
  readonly reason: string;
}

export type Tournament = Told<
  Schemas["Tournament"],
  { readonly plan: Plan; readonly disqualified: readonly Out[] }
>;

export type Report = Told<
  Schemas["Report"],
  {
    readonly plan: Plan;
    readonly blocks: { readonly played: number; readonly open: number };
    readonly chance: { readonly scope: string; readonly commitment: string };
    readonly disqualified: readonly Out[];
    readonly table: readonly Row[];
    readonly cross_table: readonly (readonly {
      readonly games: number;
      readonly ahead: number;
    }[])[];
    readonly seats: readonly SeatWorth[];
    readonly verdict: Verdict | null;
    /** Only of an endless tournament; `better` is by the entries of the plan. */
    readonly ladder?: {
      readonly provisional_below: number;
      readonly entries: readonly {
        readonly entry: string;
        readonly games: number;
        readonly provisional: boolean;
        readonly winning: Residual | null;
      }[];
      readonly better: readonly (readonly (number | null)[])[];
      readonly sets: readonly (readonly string[])[];
      readonly dispersion: number;
      readonly pairs: readonly {
        readonly entries: readonly string[];
        readonly games: number;
        readonly ahead: number;
        readonly promised: number;
        readonly z: number;
      }[];
    };
    readonly rating_curve: {
      readonly games: readonly number[];
      readonly elo: Readonly<Record<string, readonly (number | null)[]>>;
    };
    readonly measured: { readonly cpu_seconds: Readonly<Record<string, number>> };
    readonly as_of: { readonly version: number; readonly at: string | null };
  }
>;

export type GameRow = Told<
  Schemas["TournamentGame"],
  {
    readonly result: {
      readonly ranks: readonly number[];
      readonly scores: readonly number[];
      readonly failures: readonly (readonly [seat: number, decision: number, why: string])[];
    } | null;
  }
>;

export type Table = Told<
  Schemas["RoundTable"],
  { readonly entries: readonly { readonly entry: string; readonly points: number }[] }
>;

export type Round = Told<Schemas["TournamentRound"], { readonly tables: readonly Table[] }>;

export const isEndless = ({ plan }: Pick<Tournament, "plan">) => plan.format.type === "endless";

type Entries = Pick<Tournament, "status" | "plan" | "disqualified">;

/** Maximum number of entries of a tournament, or of a part of an endless one. */
const MAX_ENTRIES = 64;

/**
 * The number of places that are taken. In an endless tournament, players that are out leave theirs,
 * and a new version of a `player` takes that of the old one.
 */
export function placesTaken({ plan, disqualified }: Entries, player?: string): number {
  const out = new Set(disqualified.map(({ entry }) => entry));
  const stays = ({ name, player: one }: (typeof plan.entries)[number]) =>
    isEndless({ plan }) ? one === undefined || (!out.has(name) && one !== player) : !out.has(name);
  return plan.entries.filter(stays).length;
}

/** Whether owners may enter their bots now; or a new version of a `player`. */
export function isOpenForEntries(tournament: Entries, player?: string): boolean {
  const { status, plan } = tournament;
  const takes = isEndless(tournament) ? !isOver(tournament) : status === "open";
  const free = plan.places !== undefined && placesTaken(tournament, player) < plan.places;
  return takes && free && plan.entries.length < MAX_ENTRIES;
}

/** The status to show: a tournament that is open may wait for entries of owners. */
export function statusOf(tournament: Entries) {
  const { status } = tournament;
  return status === "open" && isOpenForEntries(tournament) ? "entries" : status;
}

export function isOver({ status }: Pick<Tournament, "status">): boolean {
  return status === "ended" || status === "cancelled";
}
