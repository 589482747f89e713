/** The language of the page: the chosen one, or the browser's. */

import { computed } from "@preact/signals";
import { type Language, spoken } from "../words/languages.ts";
import { settings } from "./settings.ts";

const preferred = spoken(navigator.languages);

export const language = computed<Language>(() => settings.value.language ?? preferred);
