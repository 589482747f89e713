/** The settings of this browser, which are stored in it and sent to nobody. */

import { signal } from "@preact/signals";
import { LANGUAGES, type Language } from "../words/languages.ts";
import { keep, kept } from "./storage.ts";

export interface Settings {
  /** The chosen language; null for the browser's preference. */
  readonly language: Language | null;
  readonly theme: "system" | "light" | "dark" | "contrast";
  /** Whether a move is previewed before it is sent. */
  readonly confirm: boolean;
  /** Whether pieces are animated; never if the system asks for less motion. */
  readonly motion: boolean;
  /** For how many milliseconds each turn of other seats is shown; 0 means no waiting. */
  readonly pace: number;
  /**
   * Whether boards may be larger than the screen of a phone or a tablet. Null means: only on a
   * phone, and only boards that have no layout for phones.
   */
  readonly larger: boolean | null;
  readonly sound: boolean;
  readonly notify: boolean;
}

const DEFAULTS: Settings = {
  language: null,
  theme: "system",
  confirm: true,
  motion: true,
  pace: 700,
  larger: null,
  sound: false,
  notify: false,
};

const isBoolean = (value: unknown) => typeof value === "boolean";
const UNDERSTOOD: { readonly [K in keyof Settings]: (value: unknown) => boolean } = {
  language: (value) => value === null || Object.keys(LANGUAGES).includes(value as string),
  theme: (value) => ["system", "light", "dark", "contrast"].includes(value as string),
  confirm: isBoolean,
  motion: isBoolean,
  pace: (value) => typeof value === "number" && value >= 0,
  larger: (value) => value === null || isBoolean(value),
  sound: isBoolean,
  notify: isBoolean,
};

/** The settings that another release has kept: what this one does not understand is as by default. */
export function understood(found: unknown): Settings {
  const isUnderstood = ([name, value]: [string, unknown]) =>
    Object.hasOwn(UNDERSTOOD, name) && UNDERSTOOD[name as keyof Settings](value);
  return { ...DEFAULTS, ...Object.fromEntries(Object.entries(found ?? {}).filter(isUnderstood)) };
}

export const settings = signal<Settings>(understood(kept("settings")));

// Another tab may have chosen; what is chosen here later must not undo that.
addEventListener("storage", (event) => {
  if (event.key === "lonja:settings") settings.value = understood(kept("settings"));
});

export function choose(change: Partial<Settings>): void {
  settings.value = { ...settings.value, ...change };
  keep("settings", settings.value);
}
