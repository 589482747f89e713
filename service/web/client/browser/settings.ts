/** What somebody has chosen for this browser; kept in it, and told to nobody. */

import { signal } from "@preact/signals";
import { keep, kept } from "./storage.ts";

export const LANGUAGES = { en: "English", es: "Español" } as const;
export type Language = keyof typeof LANGUAGES;

export interface Settings {
  /** Null: as the browser asks. */
  readonly language: Language | null;
  readonly theme: "system" | "light" | "dark" | "contrast";
  /** Whether a move is shown before it is sent. */
  readonly confirm: boolean;
  /** Whether pieces move; never where the system asks for less motion. */
  readonly motion: boolean;
  /** How long each event of others is shown before the next, in milliseconds; 0: no waiting. */
  readonly pace: number;
  /** Whether boards are larger than a phone's or a tablet's screen; null: those without a layout for a phone are on one. */
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
