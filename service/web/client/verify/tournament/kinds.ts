// The kinds of a tournament's events, and its plan (docs/tournaments.md, "The stream").

import { hold, type Line } from "../events.ts";
import { maybe, type Part, SALT, shown } from "../kinds.ts";
import {
  anyOf,
  anything,
  digest,
  fields,
  integer,
  list,
  Misfit,
  type Of,
  object,
  oneOf,
  orNull,
  text,
} from "../shapes.ts";

const ENTRY = fields({
  name: text,
  kind: oneOf("bot"),
  bot: text,
  version: text,
  settings: object,
  entropy_commitment: orNull(digest),
});

const POLICY = {
  // biome-ignore lint/suspicious/noThenProperty: this is the format's name, and no promise.
  then: oneOf("resign", "default_move"),
  disqualify_after: integer(0),
};

const PLAN = fields({
  name: text,
  ruleset: text,
  rules_version: text,
  rules_digest: digest,
  seats: integer(1),
  options: object,
  tables: orNull(fields({ edition: text, digest })),
  rotations: oneOf("cyclic", "all"),
  points: oneOf("opponents", "wins"),
  tie_breaks: list(text),
  rated: oneOf(true, false),
  entries: list(ENTRY),
  format: object,
  failures: anyOf(
    fields({ ...POLICY, seconds: integer(1) }),
    fields({ ...POLICY, processor_seconds: integer(1) }),
  ),
});
export type Plan = Of<typeof PLAN>;

const entry = integer(0);
const block = integer(1);
const bots = list(fields({ bot: text, version: text, digest }));

const RESULT = fields({
  version: integer(1),
  head: digest,
  ranks: list(integer(1)),
  scores: list(anything),
  cpu_us: list(integer(0)),
  failures: list(anything),
});
export type Result = Of<typeof RESULT>;

const ABANDONED = fields({
  block,
  try: integer(1),
  rotation: integer(0),
  seat: integer(0),
  decision: integer(1),
  reason: oneOf("starved", "killed"),
  games: list(orNull(fields({ version: integer(1), head: digest }))),
});

/** Why the service pauses; the host gives no reason. */
const PAUSE = fields({ reason: oneOf("block_abandoned"), block });

const CLOSING = fields({ reason: text, after_block: integer(0), seed: digest });

const PARTS = {
  created: {
    created: shown(fields({ plan: PLAN, chance: fields({ scope: text, commitment: digest }) })),
  },
  entropy_revealed: { entropy_revealed: shown(fields({ entry, entropy: digest })) },
  started: {},
  code_declared: { code_declared: shown(fields({ rules_digest: digest, bots })) },
  paired: {
    paired: shown(
      fields({
        round: integer(1),
        first_block: block,
        lineups: list(list(entry)),
        byes: list(entry),
      }),
    ),
  },
  block_ended: { block_ended: shown(fields({ block, games: list(RESULT) })) },
  block_abandoned: { block_abandoned: shown(ABANDONED) },
  disqualified: { disqualified: shown(fields({ entry, block, reason: text })) },
  paused: { paused: maybe(PAUSE) },
  resumed: {},
  extended: { extended: shown(fields({ games: integer(1) })) },
  ended: { ended: shown(CLOSING), salt: SALT },
  cancelled: { cancelled: shown(CLOSING), salt: SALT },
} as const;
type Kind = keyof typeof PARTS;

const host = fields({ player: text });
const service = fields({ service: oneOf("tournaments") });
const BY = {
  created: host,
  entropy_revealed: host,
  started: service,
  code_declared: service,
  paired: service,
  block_ended: service,
  block_abandoned: service,
  disqualified: service,
  paused: anyOf(host, service),
  resumed: host,
  extended: host,
  ended: service,
  cancelled: host,
} as const;

/** All parts are public: each is there. */
type Parts<P> = { readonly [K in keyof P]: P[K] extends Part<infer T> ? T : never };
export type StreamEvent = {
  [K in Kind]: Line & { readonly kind: K; readonly body: Parts<(typeof PARTS)[K]> };
}[Kind];

/** Throws Misfit. */
export function readStreamEvent(line: Line): StreamEvent {
  const { kind } = line;
  if (!Object.hasOwn(PARTS, kind)) throw new Misfit("$.kind", kind);
  const parts: { readonly [name: string]: Part<unknown> } = PARTS[kind as Kind];
  hold(line, BY[kind as Kind], parts);
  for (const [name, { needed }] of Object.entries(parts))
    if (needed && !(name in line.body)) throw new Misfit(`$.body.${name}`, undefined);
  return line as unknown as StreamEvent;
}
