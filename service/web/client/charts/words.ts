/** The texts of charts, in each language. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";

const AS_TABLE: Readonly<Record<Language, string>> = {
  en: "The same as a table",
  es: "Lo mismo en una tabla",
};

export const asTable = computed(() => AS_TABLE[language.value]);
