/** The language of the page: the chosen one, or the browser's. */

import { computed } from "@preact/signals";
import { LANGUAGES, type Language, settings } from "./settings.ts";

export { LANGUAGES, type Language };

const preferred: Language =
  navigator.languages
    .map((tag) => tag.slice(0, 2))
    .find((tag): tag is Language => tag in LANGUAGES) ?? "en";

export const language = computed<Language>(() => settings.value.language ?? preferred);
