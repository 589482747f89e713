// The kinds of a game's events (docs/format.md, "Events"): who causes them, and their parts.

import type { Json } from "./json.ts";
import {
  anyOf,
  anything,
  digest,
  fields,
  integer,
  list,
  type Of,
  object,
  oneOf,
  orNull,
  type Shape,
  some,
  text,
} from "./shapes.ts";

const seat = integer(0);
const seq = integer(1);

export const player = fields({ player: text });
export const bot = fields({ bot: text, version: text, settings: object });
export const HOLDER = anyOf(player, bot);

const GAME = fields({
  format: oneOf("lonja/2"),
  ruleset: text,
  rules_version: text,
  rules_digest: digest,
  data: fields({ edition: text, digest }, { tables: anything }),
  options: object,
  seats: integer(1),
  chance: fields({ scope: text, commitment: digest }),
  clock: orNull(fields({ decision_seconds: integer(1) })),
  entropy: fields({ mode: oneOf("reveal", "lenient"), seconds: integer(1) }),
  visibility: oneOf("public", "block"),
});
export type GameFields = Of<typeof GAME>;

const MOVE: Shape<{ readonly type: string } & { readonly [key: string]: Json }> = (value, path) => {
  const move = object(value, path);
  text(move.type ?? null, `${path}.type`);
  return move as { readonly type: string };
};

const BOT_OF_MOVE = fields({
  bot: text,
  version: text,
  digest,
  settings: digest,
  budget: integer(0),
  nodes: integer(0),
  thoughts: object,
});

const reason = text;
const withheld_by = list(seat);
const ABORTED = anyOf(
  fields({
    reason: oneOf(
      "cancelled",
      "tournament_cancelled",
      "block_abandoned",
      "entropy_withheld",
      "ended_by_operator",
    ),
    withheld_by,
  }),
  fields({
    reason: oneOf("damaged"),
    withheld_by,
    sound: fields({ seq: integer(0), hash: digest }),
  }),
);

/** What the rules may seal, and open later: never what a bot thought. */
const OPENING = fields({ seq, part: oneOf("move", "picks"), value: anything, nonce: digest });

/** Who may see a part: everybody, nobody, or whom the rules say. */
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

/** What other events than those of PARTS may have besides: nobody recorded before `created`. */
const CODE = { code: maybe(fields({ rules_digest: digest })) };
/** What those may have that reach the rules, which open what they had sealed. */
const OPENS = { opens: maybe(some(OPENING)) };
const OPENING_KINDS: readonly string[] = ["moved", "defaulted", "chanced", "resigned"];
export type More = typeof CODE & typeof OPENS;

export const PARTS = {
  created: { game: shown(GAME) },
  seated: {
    seat: shown(
      fields({ seat, holder: HOLDER, entropy_commitment: orNull(digest) }, { brought: seq }),
    ),
  },
  left: { seat: shown(fields({ seat })) },
  closed: {},
  entropy_revealed: { entropy: shown(fields({ seat, entropy: digest })) },
  started: {},
  moved: {
    move: ruled(MOVE),
    client: maybe(fields({ expected_head: digest })),
    bot: maybe(BOT_OF_MOVE, "none"),
  },
  defaulted: { move: ruled(MOVE) },
  chanced: {
    draw: shown(fields({ label: text, n: integer(1), sizes: list(integer(1)) })),
    picks: ruled(list(integer(0))),
  },
  timed_out: { time_out: shown(fields({ seat, decision: seq })) },
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
      shape: fields({ bot: text, version: text, digest: orNull(digest) }),
      needed: true,
      audience: "none",
    },
  },
  resigned: {},
  suspended: {},
  resumed: {},
  aborted: { aborted: shown(ABORTED), salt: SALT },
  ended: {
    result: shown(
      fields({
        reason,
        standings: list(
          fields({ side: text, rank: integer(1), score: anything, breakdown: object }),
        ),
      }),
    ),
    salt: SALT,
  },
  chance_revealed: { chance: shown(fields({ scope: text, chance_seed: digest })) },
} as const;

export type Kind = keyof typeof PARTS;

export const isKind = (kind: string): kind is Kind => Object.hasOwn(PARTS, kind);

/** The parts that an event of a kind may have. */
export const partsOf = (kind: Kind): { readonly [name: string]: Part<unknown> } => ({
  ...PARTS[kind],
  ...(kind === "created" ? {} : CODE),
  ...(OPENING_KINDS.includes(kind) ? OPENS : {}),
});

const service = (...reasons: string[]) => fields({ service: oneOf(...reasons) });
const seated = anyOf(fields({ seat }, { player: text }), fields({ seat, bot: text }));
const tournament = fields({ tournament: text });
const admin = fields({ admin: text });

/** Who causes an event of a kind; course.ts holds this against who sits where. */
export const BY = {
  created: anyOf(player, tournament),
  seated: anyOf(player, tournament),
  left: anyOf(player, tournament),
  closed: service("rules"),
  entropy_revealed: player,
  started: service("rules", "clock"),
  moved: seated,
  defaulted: fields({ seat, service: oneOf("resigned", "timed_out", "bot_failed") }),
  chanced: service("rules"),
  timed_out: service("clock"),
  bot_failed: service("bots"),
  resigned: seated,
  suspended: admin,
  resumed: admin,
  aborted: anyOf(player, tournament, admin, service("clock")),
  ended: service("rules"),
  chance_revealed: service("rules"),
} as const;
