// The kinds of a tournament's events, and its plan (docs/tournaments.md, "The stream").

import { hold, type Line } from "../events.ts";
import { isObject, type JsonObject } from "../json.ts";
import { CHANCE, CLOCK, MAX_SEATS, maybe, type Part, SALT, shown } from "../kinds.ts";
import { type Newer, readKnown } from "../newer.ts";
import {
  anyOf,
  anything,
  digest,
  fields,
  integer,
  isName,
  list,
  MAX_SECONDS,
  Misfit,
  mapOf,
  name,
  type Of,
  object,
  oneOf,
  orNull,
  type Shape,
  seconds,
  text,
  wordLike,
} from "../shapes.ts";

export const MAX_ENTRIES = 64;
const KIND = oneOf("bot", "player");
const BOT_ENTRY = fields({
  name: name,
  kind: KIND,
  bot: name,
  version: name,
  settings: mapOf(integer(1, 1_000_000)),
  entropy_commitment: orNull(digest),
});
const PLAYER_ENTRY = fields({
  name: name,
  kind: KIND,
  player: name,
  owner: name,
  version: text,
  entropy_commitment: orNull(digest),
});
/** A bot that workers play, or the bot account of an owner, which plays from elsewhere. */
const ENTRY: Shape<Of<typeof BOT_ENTRY> | Of<typeof PLAYER_ENTRY>> = (value, path, newer) =>
  isObject(value) && value.kind === "player"
    ? PLAYER_ENTRY(value, path, newer)
    : BOT_ENTRY(value, path, newer);

const POLICY = {
  // biome-ignore lint/suspicious/noThenProperty: this is the format's name, and no promise.
  then: oneOf("resign", "default_move"),
  disqualify_after: integer(0),
};

export const MAX_GAMES = 1_000_000;
type Options = Readonly<Record<string, number>>;
/** The options of each format with their greatest values; older plans lack those in `optional`. */
const FORMATS: Readonly<Record<string, readonly [needed: Options, optional: Options]>> = {
  round_robin: [{ games: MAX_GAMES }, {}],
  gauntlet: [{ games: MAX_GAMES }, {}],
  swiss: [{ rounds: 100 }, {}],
  knockout: [{ blocks: 100 }, {}],
  ladder: [{ rounds: 100 }, {}],
  endless: [{ games: 10_000, house_games: 1_000_000 }, {}],
  compare: [
    { games: MAX_GAMES, alpha_percent: 50, beta_percent: 50, margin_percent: 50 },
    { claim_percent: 95 },
  ],
};
const FORMAT_TYPE = oneOf(...Object.keys(FORMATS));
const each = (options: Options) =>
  Object.fromEntries(Object.entries(options).map(([name, most]) => [name, integer(1, most)]));
const FORMAT: Shape<JsonObject> = (value, path, newer) => {
  const told = object(value, path);
  const options = FORMATS[FORMAT_TYPE(told.type ?? null, `${path}.type`, newer)];
  if (options !== undefined) {
    const [needed, optional] = options;
    fields({ type: name, ...each(needed) }, each(optional))(told, path, newer);
  }
  return told;
};

const PLAN_FIELDS = {
  name: name,
  ruleset: name,
  rules_version: name,
  rules_digest: digest,
  seats: integer(2, MAX_SEATS),
  options: object,
  tables: orNull(fields({ edition: name, digest })),
  rotations: oneOf("cyclic", "all"),
  points: oneOf("opponents", "wins"),
  tie_breaks: list(oneOf("points", "wins", "mean_score")),
  rated: oneOf(true, false),
  entries: list(ENTRY, MAX_ENTRIES),
  format: FORMAT,
  failures: anyOf(
    fields({ ...POLICY, seconds }),
    fields({ ...POLICY, processor_seconds: seconds }),
    fields({
      ...POLICY,
      processor_seconds: seconds,
      budget_seconds: seconds,
      increment_seconds: integer(0, MAX_SECONDS),
    }),
  ),
};
/** Without `luck`, the games of a block share their luck. Only a plan with players has `clock`. */
const PLAN = fields(PLAN_FIELDS, {
  luck: oneOf("game"),
  clock: CLOCK,
  places: integer(2, MAX_ENTRIES),
});
export type Plan = Of<typeof PLAN>;

const entry = integer(0);
const block = integer(1);
const bots = list(fields({ bot: name, version: name, digest }));

const RESULT = fields({
  version: integer(1),
  head: digest,
  ranks: list(integer(1), MAX_SEATS),
  scores: list(integer(Number.MIN_SAFE_INTEGER)),
  cpu_us: list(integer(0), MAX_SEATS),
  failures: list(anything),
});
export type Result = Of<typeof RESULT>;

/** If the reason is `damaged`, a game was lost; otherwise a seat was stopped at a decision. */
const ABANDONED = fields(
  {
    block,
    try: integer(1),
    rotation: integer(0),
    reason: oneOf("starved", "killed", "outage", "damaged"),
    games: list(orNull(fields({ version: integer(1), head: digest }))),
  },
  { seat: integer(0), decision: integer(1) },
);
export type Abandoned = Of<typeof ABANDONED>;

/** The reason of a pause by the service. A pause by the host has none. */
const PAUSE = fields({ reason: oneOf("block_abandoned"), block });

const closing = (reason: Shape<string>) =>
  fields({ reason, after_block: integer(0), seed: digest });
const END = oneOf("completed", "too_few_entries", "better", "not_better", "full");
const OUT = wordLike(/^failed [1-9][0-9]{0,15} times$/);

/** What a part of an endless tournament begins with. */
const PART = fields({
  number: integer(1),
  before: orNull(fields({ tournament_id: name, version: integer(1), head: digest })),
  standing: fields({
    games: list(integer(0), MAX_ENTRIES),
    pairs: list(list(integer(0), 4)),
  }),
});
export type TournamentPart = Of<typeof PART>;

const PARTS = {
  created: {
    created: shown(fields({ plan: PLAN, chance: CHANCE }, { part: PART })),
  },
  available: { available: shown(fields({ entries: list(entry, MAX_ENTRIES) })) },
  entropy_revealed: { entropy_revealed: shown(fields({ entry, entropy: digest })) },
  entered: {
    entered: shown(
      fields({
        entry: ENTRY,
        validation: fields({ game_id: name, version: integer(1), head: digest }),
      }),
    ),
  },
  entries_closed: {},
  started: {},
  code_declared: { code_declared: shown(fields({ rules_digest: digest, bots })) },
  paired: {
    paired: shown(
      fields({
        round: integer(1),
        first_block: block,
        lineups: list(list(entry, MAX_SEATS)),
        byes: list(entry, MAX_ENTRIES),
      }),
    ),
  },
  block_ended: { block_ended: shown(fields({ block, games: list(RESULT) })) },
  block_abandoned: { block_abandoned: shown(ABANDONED) },
  disqualified: { disqualified: shown(fields({ entry, block, reason: OUT })) },
  withdrawn: { withdrawn: shown(fields({ entry, block: integer(0) })) },
  paused: { paused: maybe(PAUSE) },
  resumed: {},
  extended: { extended: shown(fields({ games: integer(1, MAX_GAMES) })) },
  ended: { ended: shown(closing(END)), salt: SALT },
  cancelled: { cancelled: shown(closing(text)), salt: SALT },
} as const;
type Kind = keyof typeof PARTS;

const host = fields({ player: name });
const service = fields({ service: oneOf("tournaments") });
const BY = {
  created: host,
  entropy_revealed: host,
  entered: host,
  entries_closed: host,
  started: service,
  available: service,
  code_declared: service,
  paired: service,
  block_ended: service,
  block_abandoned: service,
  disqualified: service,
  withdrawn: host,
  paused: anyOf(host, service),
  resumed: host,
  extended: host,
  ended: service,
  cancelled: host,
} as const;

/** The parts of a tournament's event: all are public, so each is present. */
type Parts<P> = { readonly [K in keyof P]: P[K] extends Part<infer T> ? T : never };
export type StreamEvent = {
  [K in Kind]: Line & { readonly kind: K; readonly body: Parts<(typeof PARTS)[K]> };
}[Kind];

/** Returns null if something in an event is unknown; throws Misfit. */
export function readStreamEvent(line: Line, newer: Newer): StreamEvent | null {
  const { kind, number } = line;
  if (!Object.hasOwn(PARTS, kind)) {
    if (!isName(kind)) throw new Misfit("$.kind", kind);
    newer.of(number, line.row).note("$.kind", kind);
    return null;
  }
  const parts: { readonly [name: string]: Part<unknown> } = PARTS[kind as Kind];
  const known = readKnown(newer, number, line.row, (unknown) => {
    hold(line, BY[kind as Kind], parts, unknown);
    for (const [name, { needed }] of Object.entries(parts))
      if (needed && unknown === undefined && !(name in line.body))
        throw new Misfit(`$.body.${name}`, undefined);
  });
  return known ? (line as unknown as StreamEvent) : null;
}
