/** Tells whoever looks elsewhere that it is their turn: title, and if wanted a sound or a notification. */

import { useEffect } from "preact/hooks";
import { settings } from "../app/settings.ts";
import { language } from "../words/language.ts";
import { phrases } from "../words/phrases.ts";
import type { Table } from "./table.ts";

export function useTurnSignals(table: Table): void {
  const asked = table.legal.value !== null;
  const title = table.ruleset.value?.titles[language.value] ?? "Lonja";
  useEffect(() => {
    const turn = phrases.peek().turnTitle;
    document.title = asked ? `● ${turn} – ${title}` : `${title} – Lonja`;
    if (!asked || document.visibilityState === "visible") return;
    if (settings.peek().sound) beep();
    if (settings.peek().notify && "Notification" in window && Notification.permission === "granted")
      new Notification(turn, { body: title, tag: table.id });
  }, [asked, title]);
}

/** Two soft notes, without a file. */
function beep(): void {
  const context = new AudioContext();
  for (const [start, pitch] of [
    [0, 523],
    [0.16, 659],
  ] as const) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.08, context.currentTime + start);
    volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + start + 0.3);
    tone.connect(volume).connect(context.destination);
    tone.start(context.currentTime + start);
    tone.stop(context.currentTime + start + 0.3);
  }
  setTimeout(() => void context.close(), 1000);
}
