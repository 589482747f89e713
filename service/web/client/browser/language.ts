/** The language of the page: what was chosen, or what the browser asks for. */

import { computed } from "@preact/signals";
import { settings } from "./settings.ts";

export const LANGUAGES = { en: "English", es: "Español" } as const;
export type Language = keyof typeof LANGUAGES;

const preferred: Language =
  navigator.languages
    .map((tag) => tag.slice(0, 2))
    .find((tag): tag is Language => tag in LANGUAGES) ?? "en";

export const language = computed<Language>(() => settings.value.language ?? preferred);
