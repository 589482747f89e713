/** The languages of boards, tables and pages, and the language of a part of a page. */

import { createContext } from "preact";
import { useContext } from "preact/hooks";

export const LANGUAGES = { en: "English", es: "Español" } as const;
export type Language = keyof typeof LANGUAGES;

/** The language of all that is drawn within. */
export const Tongue = createContext<Language>("en");

export function useLanguage(): Language {
  return useContext(Tongue);
}

/** The language of the first of these tags (BCP 47) that is available; English if none is. */
export function spoken(tags: readonly string[]): Language {
  const found = tags.map((tag) => tag.slice(0, 2).toLowerCase());
  return found.find((tag): tag is Language => tag in LANGUAGES) ?? "en";
}
