/** Light, dark or high contrast: the chosen theme, or the system's. */

import { computed, effect } from "@preact/signals";
import { language } from "./language.ts";
import { follows } from "./screen.ts";
import { settings } from "./settings.ts";

const prefersDark = follows("(prefers-color-scheme: dark)");
const prefersContrast = follows("(prefers-contrast: more)");
const prefersStill = follows("(prefers-reduced-motion: reduce)");

export const theme = computed(() => {
  const chosen = settings.value.theme;
  if (chosen !== "system") return chosen;
  if (prefersContrast.value) return "contrast";
  return prefersDark.value ? "dark" : "light";
});

/** Whether boards have their colours for a dark ground. */
export const dark = computed(() => theme.value === "dark");

/** Duration of a piece's animation in milliseconds. */
export const glideMs = computed(() => (settings.value.motion && !prefersStill.value ? 450 : 0));

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  document.documentElement.lang = language.value;
});
