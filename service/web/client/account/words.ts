/** The texts of the account's page, in each language; they are loaded together with it. */

import { computed } from "@preact/signals";
import type { Schemas } from "../api/client.ts";
import { language } from "../browser/language.ts";
import type { Language } from "../words/languages.ts";

export type Scope = Schemas["Key"]["scope"];
type Event = Schemas["Webhook"]["events"][number];
type Failure = NonNullable<Schemas["Delivery"]["error"]>;
type Reason = Schemas["Disabled"]["reason"];
/** The options of a choice, in order: values with their texts. */
export type Options<T extends string> = readonly (readonly [value: T, text: string])[];

const en = {
  // The player
  youAre: (name: string) => `You are ${name}.`,
  nobodyYet: "You have no name here yet. It is asked for when you first sit down.",
  left: "Your account is deleted, and this browser has forgotten its key.",
  rename: "Change the name",
  anotherDevice: "Play on another device",
  anotherDeviceHow:
    "Open this link there, or enter the key. Show it to nobody: whoever has it is you.",
  makeLink: "Make a link",
  deviceOf: (day: Date) => `Device of ${day.toLocaleDateString("en")}`,
  haveKey: "Have you a key from another device?",
  keyKept:
    "A key in this browser is all that makes you this player. There is no password and no e-mail address: if the key is lost, nobody can bring it back.",
  signInSure: (name: string) => `This browser is ${name}. Become the player of the link instead?`,
  signIn: "Sign in",
  programPlays: "Is it a program that plays with your key?",
  programHow:
    "Say so: then everybody sees it beside your name, for good. Rated tables are for people, so whoever has played there, or sits there, stays a person: a program has a key of its own.",
  programSure: "For good: you cannot become a person again.",
  iAmProgram: "I am a program",
  key: "Key",
  signOutSure:
    "This browser forgets the key, the key that signs your moves, your receipts and what you have seen. Without another device or a copy of the key you will not be this player again: copy it here first.",
  publicLog: "Your games in the public log of the service",
  receipts:
    "This browser keeps the receipts of your moves: with them nobody can change the game unseen.",
  saveReceipts: (count: number) =>
    count === 1 ? "Save your receipt" : `Save your ${count} receipts`,
  narrow: (opens: string) =>
    `The key of this browser opens only this: ${opens}. Keys, webhooks, export and leaving need a key that opens everything.`,
  guide: "How to use it",

  // Keys
  keys: "Keys",
  keysAre:
    "Every device, program and page gets a key of its own, so that you can revoke it without the others.",
  seatKeys: (count: number) =>
    count === 1 ? "1 key for one seat" : `${count} keys for one seat each`,
  firstKey: "first",
  opens: {
    read: "looking",
    play: "looking and playing",
    host: "looking, playing and hosting",
    full: "everything",
    seat: "one seat",
    bot: "playing as a bot",
  } as Readonly<Record<Scope, string>>,
  scope: "What it opens",
  scopes: [
    ["read", "Only looking"],
    ["play", "Looking and playing: for a bot"],
    ["host", "Also opening tables and tournaments"],
    ["full", "Everything, also keys and leaving"],
  ] as Options<Exclude<Scope, "seat" | "bot">>,
  thisBrowser: "this browser",
  made: "Made",
  used: "Last used",
  neverUsed: "Never used",
  until: "Good until",
  over: "Expired",
  seatOf: (seat: number) => `Seat ${seat} of`,
  thatGame: "a game",
  revoke: "Revoke",
  revokeThis: (name: string) => `Revoke ${name}`,
  revokeSure: (name: string) =>
    `Revoke “${name}”? Whatever uses this key is locked out at once, and its open streams end.`,
  revokeIt: "Revoke the key",
  revoked: (name: string) => `“${name}” is revoked.`,
  newKey: "Make a key",
  whatFor: "What it is for",
  howLong: "For how long",
  days: [
    ["", "Until it is revoked"],
    ["1", "A day"],
    ["30", "30 days"],
    ["90", "90 days"],
    ["366", "A year"],
  ] as Options<string>,
  make: "Make",
  onlyNow: (name: string) =>
    `This is the key “${name}”. It is shown only now: copy it to where it is needed.`,
  kept: "I have it",

  // Refused requests
  refusals: "Refused requests",
  newest: "newest",
  refusalsOf: (name: string) => `Refused requests of ${name}`,
  refusalsAre: "The newest 20 of the last day. The code leads to what it means, and what to do.",
  noRefusals: "None in the last day.",
  again: "Look again",
  requestId: "Request",

  // Webhooks
  webhooks: "Webhooks",
  webhooksAre: "A webhook sends what happens in your games to a server of yours.",
  noWebhooks: "You have none.",
  newWebhook: "Make a webhook",
  url: "Address (https)",
  events: "What it sends",
  eventIs: {
    invited: "A rematch keeps a seat for you",
    closed: "Your entropy is awaited",
    started: "A game of yours begins",
    asked: "Your seat is asked",
    clock_low: "Your time gets short",
    declined: "A bot that you challenged declines",
    ended: "A game of yours is over",
  } as Readonly<Record<Event, string>>,
  onlySecret:
    "This is the secret that signs its messages. It is shown only now: copy it to your server.",
  secret: "Secret",
  works: "works",
  fails: "fails",
  failsSince: "Fails since",
  nextAt: "next attempt",
  isDisabled: "disabled",
  disabled: {
    asked_for: "Disabled by you",
    failing: "Disabled because it failed for days",
    gone: "Disabled because it answered 410",
  } as Readonly<Record<Reason, string>>,
  test: "Send a test",
  testThis: (url: string) => `Send a test to ${url}`,
  tested: "The test is on its way.",
  enable: "Enable",
  disable: "Disable",
  newSecret: "New secret",
  newSecretSure: "Make a new secret? For a day messages are signed with the old one, too.",
  remove: "Delete",
  removeThis: (url: string) => `Delete ${url}`,
  removeSure: (url: string) => `Delete the webhook to ${url}, with the list of its deliveries?`,
  removeIt: "Delete the webhook",
  removed: "The webhook is deleted.",

  // Deliveries
  deliveries: "Deliveries",
  deliveriesOf: (url: string) => `Deliveries to ${url}`,
  noDeliveries: "Nothing was sent yet.",
  attempt: (number: number) => `attempt ${number}`,
  answered: (status: number, milliseconds: number) => `answered ${status} in ${milliseconds} ms`,
  noAnswer: {
    refused: "not sent: the address is not public",
    unresolved: "the name has no address",
    unreachable: "nobody answers there",
    tls: "the certificate is not good",
    timeout: "no answer in ten seconds",
    malformed: "the answer is not HTTP",
  } as Readonly<Record<Failure, string>>,
  answerIs: "Its answer begins",
  againAt: "Sent again",
  sendAgain: "Send again",
  sendAgainThis: (what: string) => `Send again: ${what}`,
  sentAgain: (count: number) =>
    count === 1 ? "1 message is sent again." : `${count} messages are sent again.`,
  range: "Send several again",
  from: "From",
  to: "To",
  sendRange: "Send all of these again",
  more: "Show more",

  // Data
  data: "Your data",
  dataAre: "All that is stored about you here, as one file.",
  privacy: "What is stored, and for how long",
  save: "Save your data",

  // Leaving
  leave: "Delete your account",
  leaveIs:
    "Your name, keys and webhooks are deleted, and your seats in lobbies are free again. Games that you played stay, under an id without a name: they are the record of the others, too.",
  resign: "Resign the games that I am playing, and cancel the tables and tournaments that I host",
  leaveSure: (name: string) => `Delete ${name} for good? Nobody can bring this player back.`,
  leaveIt: "Delete it for good",
  playing: "Still under way:",
  game: (nth: number) => `game ${nth}`,
  tournament: (nth: number) => `tournament ${nth}`,
};

export type AccountWords = typeof en;

const es: AccountWords = {
  // El jugador
  youAre: (name) => `Eres ${name}.`,
  nobodyYet: "Aún no tienes nombre aquí. Se te pedirá cuando te sientes por primera vez.",
  left: "Tu cuenta está borrada, y este navegador ha olvidado su clave.",
  rename: "Cambiar el nombre",
  anotherDevice: "Jugar en otro dispositivo",
  anotherDeviceHow:
    "Abre allí este enlace o escribe la clave. No se la enseñes a nadie: quien la tiene eres tú.",
  makeLink: "Crear un enlace",
  deviceOf: (day) => `Dispositivo del ${day.toLocaleDateString("es")}`,
  haveKey: "¿Tienes una clave de otro dispositivo?",
  keyKept:
    "Una clave en este navegador es todo lo que te hace ser este jugador. No hay contraseña ni correo: si se pierde la clave, nadie puede recuperarla.",
  signInSure: (name) => `Este navegador es ${name}. ¿Ser en su lugar el jugador del enlace?`,
  signIn: "Entrar",
  programPlays: "¿Es un programa quien juega con tu clave?",
  programHow:
    "Dilo: entonces todos lo ven junto a tu nombre, para siempre. Las mesas puntuadas son para personas, así que quien ha jugado en una, o está sentado en una, sigue siendo una persona: un programa tiene su propia clave.",
  programSure: "Es para siempre: no podrás volver a ser una persona.",
  iAmProgram: "Soy un programa",
  key: "Clave",
  signOutSure:
    "Este navegador olvida la clave, la clave que firma tus jugadas, tus recibos y lo que has visto. Sin otro dispositivo o una copia de la clave no volverás a ser este jugador: cópiala antes aquí.",
  publicLog: "Tus partidas en el registro público del servicio",
  receipts:
    "Este navegador guarda los recibos de tus jugadas: con ellos nadie puede cambiar la partida sin que se vea.",
  saveReceipts: (count) => (count === 1 ? "Guardar tu recibo" : `Guardar tus ${count} recibos`),
  narrow: (opens) =>
    `La clave de este navegador solo abre esto: ${opens}. Las claves, los webhooks, la exportación y la baja necesitan una clave que lo abra todo.`,
  guide: "Cómo se usa",

  // Claves
  keys: "Claves",
  keysAre:
    "Cada dispositivo, programa y página recibe su propia clave, y así puedes revocarla sin tocar las demás.",
  seatKeys: (count) =>
    count === 1 ? "1 clave para un asiento" : `${count} claves para un asiento cada una`,
  firstKey: "primera",
  opens: {
    read: "mirar",
    play: "mirar y jugar",
    host: "mirar, jugar y organizar",
    full: "todo",
    seat: "un asiento",
    bot: "jugar como bot",
  },
  scope: "Qué abre",
  scopes: [
    ["read", "Solo mirar"],
    ["play", "Mirar y jugar: para un bot"],
    ["host", "También abrir mesas y torneos"],
    ["full", "Todo, también las claves y la baja"],
  ],
  thisBrowser: "este navegador",
  made: "Creada",
  used: "Último uso",
  neverUsed: "Sin usar",
  until: "Válida hasta",
  over: "Caducada",
  seatOf: (seat) => `Asiento ${seat} de`,
  thatGame: "una partida",
  revoke: "Revocar",
  revokeThis: (name) => `Revocar ${name}`,
  revokeSure: (name) =>
    `¿Revocar «${name}»? Lo que usa esta clave queda fuera al instante, y sus flujos abiertos acaban.`,
  revokeIt: "Revocar la clave",
  revoked: (name) => `«${name}» está revocada.`,
  newKey: "Crear una clave",
  whatFor: "Para qué es",
  howLong: "Por cuánto tiempo",
  days: [
    ["", "Hasta que se revoque"],
    ["1", "Un día"],
    ["30", "30 días"],
    ["90", "90 días"],
    ["366", "Un año"],
  ],
  make: "Crear",
  onlyNow: (name) => `Esta es la clave «${name}». Solo se muestra ahora: cópiala donde haga falta.`,
  kept: "Ya la tengo",

  // Peticiones rechazadas
  refusals: "Peticiones rechazadas",
  newest: "la última",
  refusalsOf: (name) => `Peticiones rechazadas de ${name}`,
  refusalsAre:
    "Las 20 últimas del último día. El código lleva a lo que significa y a lo que hay que hacer.",
  noRefusals: "Ninguna en el último día.",
  again: "Mirar otra vez",
  requestId: "Petición",

  // Webhooks
  webhooks: "Webhooks",
  webhooksAre: "Un webhook envía lo que pasa en tus partidas a un servidor tuyo.",
  noWebhooks: "No tienes ninguno.",
  newWebhook: "Crear un webhook",
  url: "Dirección (https)",
  events: "Qué envía",
  eventIs: {
    invited: "Una revancha te guarda un asiento",
    closed: "Se espera tu entropía",
    started: "Empieza una partida tuya",
    asked: "Le toca a tu asiento",
    clock_low: "Se te acaba el tiempo",
    declined: "Un bot que has desafiado no viene",
    ended: "Acaba una partida tuya",
  },
  onlySecret:
    "Este es el secreto que firma sus mensajes. Solo se muestra ahora: cópialo en tu servidor.",
  secret: "Secreto",
  works: "funciona",
  fails: "falla",
  failsSince: "Falla desde",
  nextAt: "próximo intento",
  isDisabled: "desactivado",
  disabled: {
    asked_for: "Desactivado por ti",
    failing: "Desactivado porque falló durante días",
    gone: "Desactivado porque respondió 410",
  },
  test: "Enviar una prueba",
  testThis: (url) => `Enviar una prueba a ${url}`,
  tested: "La prueba está en camino.",
  enable: "Activar",
  disable: "Desactivar",
  newSecret: "Secreto nuevo",
  newSecretSure:
    "¿Crear un secreto nuevo? Durante un día los mensajes se firman también con el antiguo.",
  remove: "Borrar",
  removeThis: (url) => `Borrar ${url}`,
  removeSure: (url) => `¿Borrar el webhook a ${url}, con la lista de sus envíos?`,
  removeIt: "Borrar el webhook",
  removed: "El webhook está borrado.",

  // Envíos
  deliveries: "Envíos",
  deliveriesOf: (url) => `Envíos a ${url}`,
  noDeliveries: "Aún no se ha enviado nada.",
  attempt: (number) => `intento ${number}`,
  answered: (status, milliseconds) => `respondió ${status} en ${milliseconds} ms`,
  noAnswer: {
    refused: "no enviado: la dirección no es pública",
    unresolved: "el nombre no tiene dirección",
    unreachable: "allí no responde nadie",
    tls: "el certificado no es bueno",
    timeout: "sin respuesta en diez segundos",
    malformed: "la respuesta no es HTTP",
  },
  answerIs: "Su respuesta empieza",
  againAt: "Se reenvía",
  sendAgain: "Reenviar",
  sendAgainThis: (what) => `Reenviar: ${what}`,
  sentAgain: (count) => (count === 1 ? "Se reenvía 1 mensaje." : `Se reenvían ${count} mensajes.`),
  range: "Reenviar varios",
  from: "Desde",
  to: "Hasta",
  sendRange: "Reenviar todos estos",
  more: "Mostrar más",

  // Datos
  data: "Tus datos",
  dataAre: "Todo lo que aquí se guarda sobre ti, en un archivo.",
  privacy: "Qué se guarda, y cuánto tiempo",
  save: "Guardar tus datos",

  // La baja
  leave: "Borrar tu cuenta",
  leaveIs:
    "Se borran tu nombre, tus claves y tus webhooks, y tus asientos en mesas sin empezar quedan libres. Las partidas que jugaste quedan, bajo un identificador sin nombre: son también el registro de los demás.",
  resign: "Abandonar las partidas que juego, y cancelar las mesas y los torneos que organizo",
  leaveSure: (name) => `¿Borrar a ${name} para siempre? Nadie puede recuperar a este jugador.`,
  leaveIt: "Borrar para siempre",
  playing: "Aún en marcha:",
  game: (nth) => `partida ${nth}`,
  tournament: (nth) => `torneo ${nth}`,
};

const WORDS: Record<Language, AccountWords> = { en, es };

export const accountWords = computed<AccountWords>(() => WORDS[language.value]);
