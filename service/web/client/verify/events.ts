// Events of a record, one a line: each is parsed into types, or refused with the path of the fault.

import type { Json } from "./json.ts";
import {
  ANYWHERE,
  BY,
  holdCauser,
  isKind,
  type Kind,
  type More,
  type PARTS,
  type Part,
  partsOf,
} from "./kinds.ts";
import { type Newer, readKnown, readOpen } from "./newer.ts";
import {
  anything,
  digest,
  fields,
  instant,
  integer,
  isName,
  Misfit,
  mapOf,
  type Of,
  object,
  pattern,
  type Shape,
  text,
  type Unknown,
} from "./shapes.ts";

const LINE = fields({
  seq: integer(1),
  kind: text,
  by: object,
  at: instant,
  last: integer(1),
  parts: mapOf(digest),
  state_proof: digest,
  hash: digest,
  body: mapOf(anything),
  nonces: mapOf(digest),
  audiences: mapOf(pattern(/^(public|none|seat:(0|[1-9][0-9]*))$/)),
});

/**
 * The header, the visible body, and the audiences, of any kind of event; `time` is `at` in
 * milliseconds.
 */
export type Line = Of<typeof LINE> & Place & { readonly time: number };

/**
 * Where an event stands: its line in the file, its number in the stream, and the hash before it.
 */
interface Place {
  readonly row: number;
  readonly number: number;
  readonly before: string;
}

type Value<P> = P extends Part<infer T> ? T : never;
type Parts<P> = { readonly [K in keyof P]?: Value<P[K]> };

/** An event of a known kind; a part hidden from its viewer is missing in its body. */
export type Event = {
  [K in Kind]: Line & {
    readonly kind: K;
    readonly by: Of<(typeof BY)[K]>;
    readonly body: Parts<(typeof PARTS)[K]> & Parts<More>;
  };
}[Kind];

/**
 * Parses what all events have, for the event with this number.
 *
 * Throws Misfit.
 */
export function readLine(value: Json, place: Place, newer: Newer): Line {
  const line = readOpen(LINE, value, "$", newer.of(place.number, place.row).note);
  return { ...line, ...place, time: Date.parse(line.at) };
}

/**
 * Checks that an event fits its kind: its causer, its parts, and their shapes.
 *
 * Returns null if something in it is unknown; throws Misfit.
 */
export function readEvent(line: Line, newer: Newer): Event | null {
  const { kind, number } = line;
  if (!isKind(kind)) {
    if (!isName(kind)) throw new Misfit("$.kind", kind);
    newer.of(number, line.row).note("$.kind", kind);
    return null;
  }
  const known = readKnown(newer, number, line.row, (unknown) => {
    hold(line, BY[kind], partsOf(kind), unknown);
  });
  newer.begun ||= kind === "started";
  return known ? (line as unknown as Event) : null;
}

/** Checks an event's causer and the names of its parts; throws Misfit. */
export function hold(
  line: Line,
  by: Shape<unknown>,
  parts: { readonly [name: string]: Part<unknown> },
  newer: Unknown | undefined,
): void {
  holdCauser(line.by, by, newer);
  for (const [name, part] of Object.entries(parts))
    if (part.needed && newer === undefined && !(name in line.parts))
      throw new Misfit(`$.parts.${name}`, undefined);
  for (const name of Object.keys(line.parts)) {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (part === undefined) {
      if (newer === undefined || ANYWHERE.includes(name) || !isName(name))
        throw new Misfit(`$.parts.${name}`, line.parts[name]);
      newer.note(`$.parts.${name}`, name);
      continue;
    }
    const audience = line.audiences[name] ?? null;
    if (name in line.body) part.shape(line.body[name] as Json, `$.body.${name}`, newer);
    else if (newer === undefined && audience === "public")
      throw new Misfit(`$.body.${name}`, undefined);
    if (part.audience !== "rules" && audience !== part.audience)
      throw new Misfit(`$.audiences.${name}`, audience);
  }
}
