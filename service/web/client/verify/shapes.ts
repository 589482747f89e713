// Shapes of JSON values, with their types.

import { isObject, type Json, type JsonObject, write } from "./json.ts";

/**
 * Returns the value, if it has the shape; otherwise throws `Misfit`. If there is a `newer`, unknown
 * names are noted there instead.
 */
export type Shape<T> = (value: Json, path: string, newer?: Unknown) => T;

/** Called with each unknown name and its place. */
export interface Unknown {
  /**
   * Whether known members of an object may be missing, because the record is newer than this
   * program.
   */
  readonly mayLack: boolean;
  note(path: string, name: string): void;
}

const NAME = /^[a-z0-9_]{1,64}$/;

/** Whether a later release could use this name. */
export const isName = (value: Json): value is string =>
  typeof value === "string" && NAME.test(value);

export type Of<S> = S extends Shape<infer T> ? T : never;

/** Thrown for a value that does not have the shape: it has the path and the value. */
export class Misfit extends Error {
  readonly path: string;
  readonly found: string;

  constructor(path: string, value: Json | undefined) {
    super(path);
    this.path = path;
    this.found = value === undefined ? "—" : write(value);
  }
}

function those<T extends Json>(fits: (value: Json) => boolean): Shape<T> {
  return (value, path) => {
    if (!fits(value)) throw new Misfit(path, value);
    return value as T;
  };
}

const DIGEST = /^[0-9a-f]{64}$/;

export const isDigest = (value: Json): value is string =>
  typeof value === "string" && DIGEST.test(value);

/** Return a value that has a shape and is wholly known; null otherwise. */
export function fitting<T>(shape: Shape<T>, value: Json | undefined): T | null {
  try {
    return value === undefined ? null : shape(value, "$");
  } catch (error) {
    if (error instanceof Misfit) return null;
    throw error;
  }
}

export const anything: Shape<Json> = (value) => value;
/** A text, and a name, which is one line without control characters. */
export const text: Shape<string> = those(
  (value) => typeof value === "string" && characters(value) <= 1_000,
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a name has not.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
export const name: Shape<string> = those(
  (value) =>
    typeof value === "string" && value !== "" && characters(value) <= 200 && !CONTROL.test(value),
);
const characters = (value: string): number =>
  value.length > 2_000 ? value.length : [...value].length;
export const digest: Shape<string> = those(isDigest);
const OCTETS = /^(?:[0-9a-f]{2}){1,500}$/;
/** Up to 500 bytes in hexadecimal digits. */
export const octets: Shape<string> = those(
  (value) => typeof value === "string" && OCTETS.test(value),
);
export const object: Shape<JsonObject> = those(isObject);
export const yes: Shape<true> = those((value) => value === true);

export const integer = (least: number, most: number = Number.MAX_SAFE_INTEGER): Shape<number> =>
  those(
    (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
  );
/** The most seconds that a time may have: a year. */
export const MAX_SECONDS = 366 * 24 * 3600;
export const seconds: Shape<number> = integer(1, MAX_SECONDS);

export const pattern = (wanted: RegExp): Shape<string> =>
  those((value) => typeof value === "string" && wanted.test(value));

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** A time that exists: there is no 30th of February. */
export const instant: Shape<string> = (value, path) => {
  const moment = pattern(INSTANT)(value, path);
  const time = Date.parse(moment);
  if (Number.isNaN(time) || new Date(time).toISOString() !== moment) throw new Misfit(path, value);
  return moment;
};

/** One of several values. If they are words, any other name may be of a later release. */
export const oneOf = <const T extends Json>(...allowed: T[]): Shape<T> =>
  word((value) => allowed.some((one) => one === value), allowed.some(isName));

/** A text that matches a pattern. */
export const wordLike = (wanted: RegExp): Shape<string> =>
  word((value) => typeof value === "string" && wanted.test(value), true);

function word<T extends Json>(fits: (value: Json) => boolean, isOpen: boolean): Shape<T> {
  return (value, path, newer) => {
    if (fits(value)) return value as T;
    if (newer === undefined || !isOpen || !isName(value)) throw new Misfit(path, value);
    newer.note(path, value);
    return value as T;
  };
}

export const orNull = <T>(shape: Shape<T>): Shape<T | null> => {
  return (value, path, newer) => (value === null ? null : shape(value, path, newer));
};

/**
 * The first of several shapes that a value has. In an object, the fields of all of these shapes
 * count as known.
 */
export const anyOf = <S extends FieldsShape<unknown>[]>(...shapes: S): Shape<Of<S[number]>> => {
  const all = new Map(shapes.flatMap((shape) => [...shape.known]));
  return (value, path, newer) => {
    for (const shape of shapes) {
      try {
        return shape(value, path) as Of<S[number]>;
      } catch (error) {
        if (!(error instanceof Misfit)) throw error;
      }
    }
    if (newer === undefined || !isObject(value)) throw new Misfit(path, value);
    return held(value, path, all, newer) as Of<S[number]>;
  };
};

export const list = <T>(of: Shape<T>, most = 10_000): Shape<readonly T[]> => {
  return (value, path, newer) => {
    if (!Array.isArray(value) || value.length > most) throw new Misfit(path, value);
    value.forEach((one, index) => {
      of(one, `${path}[${index}]`, newer);
    });
    return value as T[];
  };
};

/** A list that is not empty. */
export const some = <T>(of: Shape<T>): Shape<readonly T[]> => {
  return (value, path, newer) => {
    const found = list(of)(value, path, newer);
    if (found.length === 0) throw new Misfit(path, value);
    return found;
  };
};

/** An object with any keys, in which all values have one shape. */
export const mapOf = <T>(of: Shape<T>): Shape<{ readonly [key: string]: T }> => {
  return (value, path) => {
    const members = object(value, path);
    for (const key of Object.keys(members)) of(members[key] as Json, `${path}.${key}`);
    return members as { readonly [key: string]: T };
  };
};

/** The shape of an object: its required and its optional fields. */
export interface FieldsShape<T> extends Shape<T> {
  readonly known: ReadonlyMap<string, Shape<unknown>>;
}

type Fields = Record<string, Shape<unknown>>;
type Has<N extends Fields, O extends Fields> = { readonly [K in keyof N]: Of<N[K]> } & {
  readonly [K in keyof O]?: Of<O[K]>;
};

/** An object with all required fields, any optional fields, and no others. */
export const fields = <N extends Fields, O extends Fields = Record<never, never>>(
  needed: N,
  optional: O = {} as O,
): FieldsShape<Has<N, O>> => {
  const known = new Map<string, Shape<unknown>>(Object.entries({ ...needed, ...optional }));
  const shape: Shape<Has<N, O>> = (value, path, newer) => {
    const members = object(value, path);
    if (!newer?.mayLack)
      for (const key of Object.keys(needed))
        if (!(key in members)) throw new Misfit(`${path}.${key}`, undefined);
    return held(members, path, known, newer) as Has<N, O>;
  };
  return Object.assign(shape, { known });
};

/** Checks that the members of an object have the shapes of its fields. */
function held(
  members: JsonObject,
  path: string,
  known: ReadonlyMap<string, Shape<unknown>>,
  newer: Unknown | undefined,
): JsonObject {
  for (const key of Object.keys(members)) {
    const shape = known.get(key);
    if (shape !== undefined) shape(members[key] as Json, `${path}.${key}`, newer);
    else if (newer !== undefined && isName(key)) newer.note(`${path}.${key}`, key);
    else throw new Misfit(`${path}.${key}`, members[key]);
  }
  return members;
}
