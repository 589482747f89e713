// Says what a JSON value must look like, and which type it then has.

import { isObject, type Json, type JsonObject, write } from "./json.ts";

/** Hands on a value that has the shape; throws `Misfit` otherwise. */
export type Shape<T> = (value: Json, path: string) => T;
export type Of<S> = S extends Shape<infer T> ? T : never;

/** What a value is not: where it stands, and what stands there. */
export class Misfit extends Error {
  readonly path: string;
  readonly found: string;

  constructor(path: string, value: Json | undefined) {
    super(path);
    this.path = path;
    this.found = value === undefined ? "—" : write(value);
  }
}

function fitting<T extends Json>(fits: (value: Json) => boolean): Shape<T> {
  return (value, path) => {
    if (!fits(value)) throw new Misfit(path, value);
    return value as T;
  };
}

const DIGEST = /^[0-9a-f]{64}$/;

export const anything: Shape<Json> = (value) => value;
export const text: Shape<string> = fitting((value) => typeof value === "string");
export const digest: Shape<string> = fitting(
  (value) => typeof value === "string" && DIGEST.test(value),
);
export const object: Shape<JsonObject> = fitting(isObject);

export const integer = (least: number): Shape<number> =>
  fitting((value) => Number.isInteger(value) && (value as number) >= least);

export const pattern = (wanted: RegExp): Shape<string> =>
  fitting((value) => typeof value === "string" && wanted.test(value));

export const oneOf = <const T extends Json>(...allowed: T[]): Shape<T> =>
  fitting((value) => allowed.some((one) => one === value));

export const orNull = <T>(shape: Shape<T>): Shape<T | null> => {
  return (value, path) => (value === null ? null : shape(value, path));
};

/** The first of some shapes that a value has. */
export const anyOf = <S extends Shape<unknown>[]>(...shapes: S): Shape<Of<S[number]>> => {
  return (value, path) => {
    for (const shape of shapes) {
      try {
        return shape(value, path) as Of<S[number]>;
      } catch (error) {
        if (!(error instanceof Misfit)) throw error;
      }
    }
    throw new Misfit(path, value);
  };
};

export const list = <T>(of: Shape<T>): Shape<readonly T[]> => {
  return (value, path) => {
    if (!Array.isArray(value)) throw new Misfit(path, value);
    value.forEach((one, index) => {
      of(one, `${path}[${index}]`);
    });
    return value as T[];
  };
};

/** A list that is not empty. */
export const some = <T>(of: Shape<T>): Shape<readonly T[]> => {
  return (value, path) => {
    const found = list(of)(value, path);
    if (found.length === 0) throw new Misfit(path, value);
    return found;
  };
};

/** An object with any keys, and one shape of values. */
export const mapOf = <T>(of: Shape<T>): Shape<{ readonly [key: string]: T }> => {
  return (value, path) => {
    const members = object(value, path);
    for (const key of Object.keys(members)) of(members[key] as Json, `${path}.${key}`);
    return members as { readonly [key: string]: T };
  };
};

type Fields = Record<string, Shape<unknown>>;
type Has<N extends Fields, O extends Fields> = { readonly [K in keyof N]: Of<N[K]> } & {
  readonly [K in keyof O]?: Of<O[K]>;
};

/** An object that has all of some fields, perhaps some others, and none besides. */
export const fields = <N extends Fields, O extends Fields = Record<never, never>>(
  needed: N,
  optional: O = {} as O,
): Shape<Has<N, O>> => {
  const shapes = new Map<string, Shape<unknown>>(Object.entries({ ...needed, ...optional }));
  return (value, path) => {
    const members = object(value, path);
    for (const key of Object.keys(needed))
      if (!(key in members)) throw new Misfit(`${path}.${key}`, undefined);
    for (const key of Object.keys(members)) {
      const shape = shapes.get(key);
      if (shape === undefined) throw new Misfit(`${path}.${key}`, members[key]);
      shape(members[key] as Json, `${path}.${key}`);
    }
    return members as Has<N, O>;
  };
};
