/** The texts about notifications, in each language; they are loaded with their panel. */

import { computed } from "@preact/signals";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";

const en = {
  title: "Notifications",
  are: "This browser can tell you that it is your turn, also while no page of Lonja is open. It names the game and the table, and no move.",
  on: "on in this browser",
  off: "off in this browser",
  blocked:
    "You have blocked notifications of this site. Allow them in the settings of the browser, and load this page again.",
  cannot:
    "This browser cannot show notifications of this page. On an iPhone or iPad, install the page first: add it to the home screen.",
  turnedOn: "This browser will tell you when it is your turn.",
  turnedOff: "Notifications are off there.",
  elsewhere: "They are on elsewhere, too:",
  turnOn: "Turn on",
  turnOff: "Turn off",
  turnOffAt: (host: string) => `Turn off at ${host}`,
  since: "since",
};

const es: typeof en = {
  title: "Avisos",
  are: "Este navegador puede avisarte de que es tu turno, también cuando no hay abierta ninguna página de Lonja. El aviso dice el juego y la mesa, y ninguna jugada.",
  on: "activados en este navegador",
  off: "desactivados en este navegador",
  blocked:
    "Has bloqueado los avisos de este sitio. Permítelos en los ajustes del navegador y vuelve a cargar esta página.",
  cannot:
    "Este navegador no puede mostrar avisos de esta página. En un iPhone o iPad, instala antes la página: añádela a la pantalla de inicio.",
  turnedOn: "Este navegador te avisará cuando sea tu turno.",
  turnedOff: "Allí ya no hay avisos.",
  elsewhere: "También están activados en otros sitios:",
  turnOn: "Activar",
  turnOff: "Desactivar",
  turnOffAt: (host: string) => `Desactivar en ${host}`,
  since: "desde",
};

const WORDS: Record<Language, typeof en> = { en, es };

export const notificationWords = computed(() => WORDS[language.value]);
