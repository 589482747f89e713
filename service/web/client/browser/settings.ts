/** The settings of this browser, which are stored in it and sent to nobody. */

import { signal } from "@preact/signals";
import type { Language } from "../words/languages.ts";
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

export const settings = signal<Settings>({ ...DEFAULTS, ...kept<Partial<Settings>>("settings") });

export function choose(change: Partial<Settings>): void {
  settings.value = { ...settings.value, ...change };
  keep("settings", settings.value);
}
