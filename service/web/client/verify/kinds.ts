// The kinds of a game's events (docs/format.md, "Events"): their causers, and their parts.

import { J } from "./digests.ts";
import type { Json, JsonObject } from "./json.ts";
import {
  anyOf,
  anything,
  digest,
  fields,
  instant,
  integer,
  isName,
  list,
  MAX_SECONDS,
  Misfit,
  name,
  type Of,
  object,
  octets,
  oneOf,
  orNull,
  pattern,
  type Shape,
  seconds,
  some,
  text,
  type Unknown,
  yes,
} from "./shapes.ts";

/** The maximum number of seats, which is more than any game has. */
export const MAX_SEATS = 12;

const seat = integer(0);
const seq = integer(1);

export const player = fields({ player: name });
export const bot = fields({ bot: name, version: name, settings: object });
export type BotHolder = Of<typeof bot>;
export const HOLDER = anyOf(player, bot);

/** The commitment to the luck of a game or a tournament. */
export const CHANCE = fields({ scope: name, commitment: digest });

/** A time for each decision of a seat, or a budget for all of them. */
export const CLOCK = anyOf(
  fields({ decision_seconds: seconds }, { grace_ms: integer(1) }),
  fields(
    { budget_seconds: seconds, increment_seconds: integer(0, MAX_SECONDS) },
    { decision_seconds: seconds, grace_ms: integer(1) },
  ),
);
export type Clock = Of<typeof CLOCK>;

/** A chain of a beacon. */
const CHAIN = fields({
  chain: digest,
  scheme: name,
  public_key: octets,
  period: integer(1),
  genesis: integer(0),
});
export type Chain = Of<typeof CHAIN>;

const ENTROPY_FIELDS = fields(
  { mode: oneOf("reveal", "lenient", "beacon"), seconds },
  { beacon: CHAIN, late: oneOf("start", "abort") },
);
/** Only the mode `beacon` has a beacon, and what happens if it is late. */
const ENTROPY: Shape<Of<typeof ENTROPY_FIELDS>> = (value, path, newer) => {
  const told = ENTROPY_FIELDS(value, path, newer);
  const has = new Set([told.mode === "beacon", "beacon" in told, "late" in told]);
  if (newer === undefined && has.size > 1) throw new Misfit(`${path}.mode`, told.mode);
  return told;
};

const GAME = fields(
  {
    format: oneOf("lonja/2"),
    ruleset: name,
    rules_version: name,
    rules_digest: digest,
    data: fields({ edition: name, digest }, { tables: anything }),
    options: object,
    seats: integer(1, MAX_SEATS),
    chance: CHANCE,
    clock: orNull(CLOCK),
    entropy: ENTROPY,
    visibility: oneOf("public", "block", "seats"),
  },
  { take_back: yes, hints: yes, signatures: oneOf("required") },
);
export type GameFields = Of<typeof GAME>;

/** An Ed25519 signature, in hex. */
const sig = pattern(/^[0-9a-f]{128}$/);

const MOVE: Shape<{ readonly type: string } & { readonly [key: string]: Json }> = (value, path) => {
  const move = object(value, path);
  name(move.type ?? null, `${path}.type`);
  return move as { readonly type: string };
};

const BOT_OF_MOVE = fields({
  bot: name,
  version: name,
  digest,
  settings: digest,
  budget: integer(0),
  nodes: integer(0),
  thoughts: object,
});
export type BotOfMove = Of<typeof BOT_OF_MOVE>;
/** What a bot's move says if its seat says the rest once. */
const SHORT_OF_MOVE = fields(
  { nodes: integer(0), thoughts: object },
  { digest, cpu_us: integer(0) },
);

const MOST_THOUGHTS = 4_096;
/** What a player's program thought: at most so many bytes of canonical JSON. */
const THOUGHTS: Shape<{ readonly [key: string]: Json }> = (value, path) => {
  const thoughts = object(value, path);
  if (J(thoughts).length > MOST_THOUGHTS) throw new Misfit(path, value);
  return thoughts;
};

const reason = name;
const ABORTED_FIELDS = fields(
  {
    reason: oneOf(
      "cancelled",
      "tournament_cancelled",
      "block_abandoned",
      "entropy_withheld",
      "beacon_withheld",
      "ended_by_operator",
      "damaged",
    ),
    withheld_by: list(seat),
  },
  { sound: fields({ seq: integer(0), hash: digest }) },
);
/** Only the `aborted` of a damaged game has `sound`, the last sound event. */
const ABORTED: Shape<Of<typeof ABORTED_FIELDS>> = (value, path, newer) => {
  const told = ABORTED_FIELDS(value, path, newer);
  if (newer === undefined && (told.reason === "damaged") !== "sound" in told)
    throw new Misfit(`${path}.sound`, told.sound as Json | undefined);
  return told;
};

/** The parts that the rules may seal and open later; a bot's thoughts are not among them. */
const OPENING = fields({ seq, part: oneOf("move", "picks"), value: anything, nonce: digest });

/** The audience of a part: everybody, nobody, or what the rules say. */
export type Audience = "public" | "none" | "rules";

export interface Part<T> {
  readonly shape: Shape<T>;
  readonly needed: boolean;
  readonly audience: Audience;
}

export const shown = <T>(shape: Shape<T>): Part<T> => ({ shape, needed: true, audience: "public" });
const ruled = <T>(shape: Shape<T>): Part<T> => ({ shape, needed: true, audience: "rules" });
export const maybe = <T>(shape: Shape<T>, audience: Audience = "public"): Part<T> => ({
  shape,
  needed: false,
  audience,
});

export const SALT = shown(fields({ salt_secret: digest }));

/** Optional parts of events that are not in PARTS. */
const CODE = { code: maybe(fields({ rules_digest: digest })) };
/** The optional part of events that reach the rules: `opens`, with parts that were sealed. */
const OPENS = { opens: maybe(some(OPENING)) };
const OPENING_KINDS: readonly string[] = ["moved", "defaulted", "chanced", "resigned"];
export type More = typeof CODE & typeof OPENS;

export const PARTS = {
  created: { game: shown(GAME) },
  seated: {
    seat: shown(
      fields(
        { seat, holder: HOLDER, entropy_commitment: orNull(digest) },
        { brought: seq, short: yes, key: digest },
      ),
    ),
  },
  left: { seat: shown(fields({ seat })) },
  closed: {},
  entropy_revealed: { entropy: shown(fields({ seat, entropy: digest })) },
  beacon_drawn: { beacon: shown(fields({ round: integer(1), signature: octets })) },
  started: {},
  moved: {
    move: ruled(MOVE),
    client: maybe(fields({ expected_head: digest })),
    bot: maybe(anyOf(SHORT_OF_MOVE, BOT_OF_MOVE), "none"),
    thoughts: maybe(THOUGHTS, "none"),
    signature: maybe(fields({ decision: seq, sig }), "rules"),
  },
  defaulted: { move: ruled(MOVE) },
  chanced: {
    draw: shown(fields({ label: name, n: integer(1), sizes: list(integer(1)) })),
    picks: ruled(list(integer(0))),
  },
  timed_out: {
    time_out: shown(fields({ seat, decision: seq }, { fault: oneOf("seat", "service") })),
  },
  bot_failed: {
    failure: shown(
      fields({
        seat,
        decision: seq,
        cause: oneOf("crashed", "illegal", "too_slow", "missing", "stopped"),
      }),
    ),
    error: { shape: text, needed: true, audience: "none" },
    bot: {
      shape: fields({ bot: name, version: name, digest: orNull(digest) }, { cpu_us: integer(0) }),
      needed: true,
      audience: "none",
    },
  },
  resigned: {},
  undone: { undo: shown(fields({ to: seq })) },
  hinted: { hint: shown(fields({ decision: seq })) },
  key_changed: { key: shown(fields({ seat, key: digest, sig: orNull(sig) })) },
  suspended: {},
  resumed: {},
  interrupted: { interruption: shown(fields({ from: instant, to: instant })) },
  aborted: { aborted: shown(ABORTED), salt: SALT },
  ended: {
    result: shown(
      fields({
        reason,
        standings: list(
          fields({ side: name, rank: integer(1), score: anything, breakdown: object }),
          2 * MAX_SEATS,
        ),
      }),
    ),
    salt: SALT,
  },
  chance_revealed: { chance: shown(fields({ scope: name, chance_seed: digest })) },
} as const;

export type Kind = keyof typeof PARTS;

export const isKind = (kind: string): kind is Kind => Object.hasOwn(PARTS, kind);

/**
 * Parts that several kinds of events may have. In an event of another kind, such a part is a fault,
 * and not unknown.
 */
export const ANYWHERE: readonly string[] = ["code", "opens"];

/** The parts that an event of a kind may have. */
export const partsOf = (kind: Kind): { readonly [name: string]: Part<unknown> } => ({
  ...PARTS[kind],
  ...(kind === "created" ? {} : CODE),
  ...(OPENING_KINDS.includes(kind) ? OPENS : {}),
});

const service = (...reasons: string[]) => fields({ service: oneOf(...reasons) });
const seated = anyOf(fields({ seat }, { player: name }), fields({ seat, bot: name }));
const tournament = fields({ tournament: name });
const admin = fields({ admin: name });

/** All members that `by` may have, and all values of `by.service`. */
const CAUSERS = ["player", "tournament", "admin", "seat", "bot", "service"];
const SERVICES = [
  "rules",
  "clock",
  "beacon",
  "bots",
  "resigned",
  "timed_out",
  "bot_failed",
  "tournaments",
];

/**
 * Checks that a causer is allowed. A causer that no kind of event has is unknown; any other is a
 * fault.
 */
export function holdCauser(
  by: JsonObject,
  shape: Shape<unknown>,
  newer: Unknown | undefined,
): void {
  const named = Object.keys(by).filter((key) => !CAUSERS.includes(key));
  const { service } = by;
  const unknown = named.map((key) => [`$.by.${key}`, key] as const);
  if (service !== undefined && isName(service) && !SERVICES.includes(service))
    unknown.push(["$.by.service", service]);
  if (newer === undefined || unknown.length === 0 || !named.every(isName)) shape(by, "$.by");
  else for (const each of unknown) newer.note(...each);
}

/** The causer of an event of a kind; course.ts checks it against the seats. */
export const BY = {
  created: anyOf(player, tournament),
  seated: anyOf(player, tournament),
  left: anyOf(player, tournament),
  closed: service("rules"),
  entropy_revealed: HOLDER,
  beacon_drawn: service("beacon"),
  started: service("rules", "clock"),
  moved: seated,
  defaulted: fields({ seat, service: oneOf("resigned", "timed_out", "bot_failed") }),
  chanced: service("rules"),
  timed_out: service("clock"),
  bot_failed: service("bots"),
  resigned: seated,
  undone: seated,
  hinted: fields({ seat }, { player: name }),
  key_changed: player,
  suspended: admin,
  resumed: admin,
  interrupted: service("clock"),
  aborted: anyOf(player, tournament, admin, service("clock")),
  ended: service("rules"),
  chance_revealed: service("rules"),
} as const;
