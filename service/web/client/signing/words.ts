/** What is told at a table where players sign their moves, in each language. */

import type { Language } from "../words/languages.ts";

const en = {
  signs: "Players sign their moves: what that is worth",
  signsIs:
    "When you sit down, your browser makes a key that no script can read out, and keeps it. It signs each of your moves, with the game, the decision, and what you had seen. So the operator of the service cannot move for you unseen; and if you sign out, or delete the site's data, you can move only with another key.",
  worth:
    "What that is worth here: this page comes from the operator of the service, too. Its next version could sign with your key what you never chose, or make a key that it can read. A key in a program of your own, such as lonja play, is out of the operator's reach.",
  more: "What a signature proves",
  here: "Play here, with another key",
  binding: (event: number) =>
    `The key that this seat has cannot sign the new one from here. So from event ${event} on, the service alone says who this is. That is in the record for good, and everybody who checks the game is told.`,
  bind: "Bind a new key",
  narrow:
    "A key for one seat cannot bind another signing key: whoever has the player's key can do that.",
};

export type SigningWords = typeof en;

const es: SigningWords = {
  signs: "Los jugadores firman sus jugadas: qué vale eso",
  signsIs:
    "Al sentarte, tu navegador crea una clave que ningún programa puede leer, y la guarda. Con ella firma cada jugada tuya, con la partida, la decisión y lo que habías visto. Así quien lleva el servicio no puede jugar por ti sin que se vea; y si sales, o borras los datos del sitio, solo podrás jugar con otra clave.",
  worth:
    "Lo que eso vale aquí: esta página viene también de quien lleva el servicio. Su próxima versión podría firmar con tu clave lo que nunca elegiste, o crear una clave que ella pueda leer. Una clave en un programa tuyo, como lonja play, queda fuera de su alcance.",
  more: "Qué prueba una firma",
  here: "Jugar aquí con otra clave",
  binding: (event) =>
    `La clave que tiene este asiento no puede firmar la nueva desde aquí. Por eso, desde el evento ${event}, solo el servicio dice quién es. Eso queda para siempre en el registro, y se le dice a quien compruebe la partida.`,
  bind: "Vincular una clave nueva",
  narrow:
    "Una clave para un solo asiento no puede vincular otra clave de firma: eso puede hacerlo quien tenga la clave del jugador.",
};

export const SIGNING_WORDS: Record<Language, SigningWords> = { en, es };
