/** The languages of boards, tables and pages. */

import { createContext } from "preact";
import { useContext } from "preact/hooks";

export const LANGUAGES = { en: "English", es: "Español" } as const;
export type Language = keyof typeof LANGUAGES;

/** The language of all components within this one. */
export const Tongue = createContext<Language>("en");

export function useLanguage(): Language {
  return useContext(Tongue);
}

/** The first available language among these tags (BCP 47); English if none is available. */
export function spoken(tags: readonly string[]): Language {
  const found = tags.map((tag) => tag.slice(0, 2).toLowerCase());
  return found.find((tag): tag is Language => tag in LANGUAGES) ?? "en";
}
