// Every finding in words, English and Spanish; names in braces are filled in by the caller.

/**
 * The kinds of findings, in this order: a fault; a file that is not a record, or that this program
 * cannot read; a record that is newer than this program; something that was not checked; a remark.
 */
export type Severity = "failure" | "unreadable" | "newer" | "open" | "note";

type Sentence = readonly [severity: Severity, en: string, es: string];

export const SENTENCES: Readonly<Record<string, Sentence | undefined>> = {
  // Reading the file
  file_empty: ["unreadable", "The file is empty.", "El archivo está vacío."],
  file_read: [
    "unreadable",
    "The file cannot be read on from here: {found}.",
    "El archivo no se puede leer a partir de aquí: {found}.",
  ],
  file_size: [
    "unreadable",
    "The file unpacks to more than {most} bytes; `lonja verify` reads files of any size.",
    "El archivo ocupa sin comprimir más de {most} bytes; `lonja verify` lee archivos de cualquier tamaño.",
  ],
  file_unpacked: [
    "unreadable",
    "The file unpacks to more than {most} times its size, which no record does: unpack it first, if you know where it comes from.",
    "El archivo ocupa sin comprimir más de {most} veces su tamaño, lo que ningún registro hace: descomprímelo antes, si sabes de dónde viene.",
  ],
  game_size: [
    "unreadable",
    "One game has more than {most} bytes, which is more than this page holds in memory; `lonja verify` reads it.",
    "Una partida ocupa más de {most} bytes, más de lo que cabe aquí en memoria; `lonja verify` la lee.",
  ],
  line_size: [
    "unreadable",
    "The line is longer than {most} bytes.",
    "La línea ocupa más de {most} bytes.",
  ],
  line_end: [
    "unreadable",
    "The last line does not end with a line feed: the file was cut.",
    "La última línea no acaba en un salto de línea: el archivo está cortado.",
  ],
  file_cut: [
    "unreadable",
    "The file is cut: its header promises {expected}, and {found} follow.",
    "El archivo está cortado: su cabecera promete {expected}, y siguen {found}.",
  ],
  line_utf8: ["unreadable", "The line is not UTF-8.", "La línea no es UTF-8."],
  json_syntax: [
    "unreadable",
    "The line is not JSON, from column {column} on.",
    "La línea no es JSON, desde la columna {column}.",
  ],
  json_space: [
    "failure",
    "The line has white space in column {column}.",
    "La línea tiene espacios en la columna {column}.",
  ],
  json_key: [
    "failure",
    "The key in column {column} has other signs than a–z, 0–9 and _.",
    "La clave de la columna {column} tiene signos que no son a–z, 0–9 ni _.",
  ],
  json_twice: [
    "failure",
    "The key in column {column} comes twice.",
    "La clave de la columna {column} está repetida.",
  ],
  json_order: [
    "failure",
    "The key in column {column} is out of order.",
    "La clave de la columna {column} está fuera de orden.",
  ],
  json_string: [
    "failure",
    "The string in column {column} is not written in the shortest way.",
    "La cadena de la columna {column} no está escrita de la forma más corta.",
  ],
  json_number: [
    "failure",
    "The number in column {column} is not an integer below 2^53 in its shortest form.",
    "El número de la columna {column} no es un entero menor que 2^53 en su forma más corta.",
  ],
  json_depth: [
    "unreadable",
    "The value in column {column} is nested too deeply.",
    "El valor de la columna {column} está anidado demasiado hondo.",
  ],
  header: [
    "unreadable",
    "The first line is no header of a record: {path} is {found}.",
    "La primera línea no es la cabecera de un registro: {path} es {found}.",
  ],
  header_status: [
    "failure",
    "The header says that the game is {found}; by its events it is {expected}.",
    "La cabecera dice que la partida está en «{found}»; según sus eventos está en «{expected}».",
  ],
  header_field: [
    "failure",
    "The header's {field} is {found}; the event `created` says {expected}.",
    "El campo {field} de la cabecera es {found}; el evento `created` dice {expected}.",
  ],
  header_viewer: [
    "failure",
    "The header names the viewer {found}: there is no such seat, or the game is over and open to all.",
    "La cabecera nombra al espectador {found}: no existe ese asiento, o la partida terminó y está abierta a todos.",
  ],
  lines_after: [
    "failure",
    "The file goes on behind the last event that the header promises.",
    "El archivo sigue tras el último evento que promete la cabecera.",
  ],

  // Shape
  newer: [
    "newer",
    "`{name}` is newer than this program, which does not know it there: {path}. What follows from it is not judged.",
    "`{name}` es más nuevo que este programa, que no lo conoce ahí: {path}. No se juzga lo que se sigue de ello.",
  ],
  shape: [
    "failure",
    "{path} is not as the format says: {found}.",
    "{path} no es como dice el formato: {found}.",
  ],
  lines_stop: [
    "open",
    "What follows a line that is no event is not judged.",
    "No se juzga lo que sigue a una línea que no es un evento.",
  ],
  shape_stops: [
    "open",
    "Because of the shapes, only the chain and the commitments were checked.",
    "Por las formas, solo se comprobaron la cadena y los compromisos.",
  ],
  parts_audiences: [
    "failure",
    "The event does not name the audience of each part, and of no others.",
    "El evento no nombra el público de cada parte, y de ninguna otra.",
  ],
  parts_nonces: [
    "failure",
    "The event does not have a nonce for each part that it shows, and for no others.",
    "El evento no tiene un nonce por cada parte que muestra, y por ninguna otra.",
  ],
  part_missing: [
    "failure",
    "The part `{part}` is hidden, though its viewer may see it.",
    "La parte `{part}` está oculta, aunque su espectador puede verla.",
  ],
  part_leaked: [
    "failure",
    "The part `{part}` is shown, though it is for {audience} alone.",
    "La parte `{part}` se muestra, aunque es solo para {audience}.",
  ],

  // Chain
  chain_seq: [
    "failure",
    "The event is number {expected} of the record and says {found}.",
    "El evento es el número {expected} del registro y dice {found}.",
  ],
  chain_time: [
    "failure",
    "The event is of {found}, before its predecessor's {before}.",
    "El evento es de {found}, anterior a su predecesor, de {before}.",
  ],
  chain_hash: [
    "failure",
    "The hash is not that of this header on top of the event before: something in either was changed.",
    "El hash no es el de esta cabecera sobre el evento anterior: algo cambió en uno de los dos.",
  ],
  batch_last: [
    "failure",
    "The batch cannot end with event {found}.",
    "El lote no puede acabar en el evento {found}.",
  ],
  batch_at: [
    "failure",
    "The event is of {found}, and the others of its batch are not.",
    "El evento es de {found}, y los demás de su lote no.",
  ],
  batch_cut: [
    "failure",
    "The record was cut inside a batch: it ends with event {found}, the batch with {last}.",
    "El registro está cortado dentro de un lote: acaba en el evento {found}, y el lote en el {last}.",
  ],
  part_commitment: [
    "failure",
    "The part `{part}` is not what the chain commits to: it, its nonce or its commitment was changed.",
    "La parte `{part}` no es la que la cadena compromete: cambió ella, su nonce o su compromiso.",
  ],
  part_nonce: [
    "failure",
    "The nonce of `{part}` does not follow from the salt.",
    "El nonce de `{part}` no sale de la sal.",
  ],
  state_proof: [
    "failure",
    "The proof of the state is not that of null.",
    "La prueba del estado no es la de null.",
  ],
  opens_nothing: [
    "failure",
    "It opens `{part}` of event {seq}, which is not there.",
    "Abre `{part}` del evento {seq}, que no existe.",
  ],
  opens_again: [
    "failure",
    "It opens `{part}` of event {seq}, which is open already.",
    "Abre `{part}` del evento {seq}, que ya está abierta.",
  ],
  opens_commitment: [
    "failure",
    "What it opens as `{part}` of event {seq} is not what was sealed there.",
    "Lo que abre como `{part}` del evento {seq} no es lo que allí se selló.",
  ],
  opens_other: [
    "failure",
    "What it opens as `{part}` of event {seq} is not what that event shows.",
    "Lo que abre como `{part}` del evento {seq} no es lo que ese evento muestra.",
  ],

  // Course
  first: [
    "failure",
    "The first event is `{kind}`, not `created`.",
    "El primer evento es `{kind}`, no `created`.",
  ],
  data_digest: [
    "failure",
    "The tables in the record do not have the digest that it names.",
    "Las tablas del registro no tienen el resumen que nombra.",
  ],
  visibility: [
    "failure",
    "The visibility is {visibility}, which does not go with the chance scope.",
    "La visibilidad es {visibility}, que no corresponde al ámbito del azar.",
  ],
  scope: [
    "failure",
    "A game by {by} cannot have the chance scope {scope}.",
    "Una partida de {by} no puede tener el ámbito del azar {scope}.",
  ],
  batch_first: [
    "failure",
    "`{kind}` follows from something, and cannot begin a batch.",
    "`{kind}` se sigue de algo, y no puede empezar un lote.",
  ],
  must_follow: [
    "failure",
    "`{expected}` has to follow here, in the same batch, and does not.",
    "Aquí, en el mismo lote, tiene que seguir `{expected}`, y no sigue.",
  ],
  batch_alone: ["failure", "`{kind}` is a batch by itself.", "`{kind}` es un lote por sí solo."],
  batch_follows: [
    "failure",
    "`{kind}` cannot stand in a batch that begins with `{first}`.",
    "`{kind}` no puede estar en un lote que empieza con `{first}`.",
  ],
  code: [
    "failure",
    "Other code is named where none is: not at the beginning of a batch, or the same as before.",
    "Se nombra otro código donde no lo hay: no al principio de un lote, o el mismo que antes.",
  ],
  phase: [
    "failure",
    "`{kind}` cannot happen in a game that is {phase}.",
    "`{kind}` no puede ocurrir en una partida en fase «{phase}».",
  ],
  while_suspended: [
    "failure",
    "`{kind}` happened while the game was suspended.",
    "`{kind}` ocurrió con la partida suspendida.",
  ],
  seat: [
    "failure",
    "`{kind}` cannot be of seat {seat} here.",
    "`{kind}` no puede ser aquí del asiento {seat}.",
  ],
  by: ["failure", "`{kind}` cannot be caused by {by}.", "`{kind}` no puede ser causado por {by}."],
  closed: [
    "failure",
    "The table is closed though a seat is free, or it waits for no entropy and no beacon.",
    "La mesa se cierra aunque hay un asiento libre, o no espera entropía ni faro.",
  ],
  started: [
    "failure",
    "The game starts though a seat is free or owes entropy, or without its beacon.",
    "La partida empieza aunque un asiento está libre o debe entropía, o sin su faro.",
  ],
  started_without: [
    "failure",
    "The clock starts the game, which does not start without what is late, or before the time for it is over.",
    "El reloj empieza la partida, que no empieza sin lo que falta, o antes de acabar su plazo.",
  ],
  brought: [
    "failure",
    "Event {brought} did not bring the entropy of this seat, or another seat has it.",
    "El evento {brought} no aportó la entropía de este asiento, o la tiene otro.",
  ],
  entropy_owed: ["failure", "Seat {seat} owes no entropy.", "El asiento {seat} no debe entropía."],
  entropy_commitment: [
    "failure",
    "The entropy of seat {seat} is not what it had committed to.",
    "La entropía del asiento {seat} no es la que había comprometido.",
  ],
  entropy_late: [
    "failure",
    "The entropy of seat {seat} came after the time for it was over.",
    "La entropía del asiento {seat} llegó pasado su plazo.",
  ],
  defaulted: [
    "failure",
    "A move was played for seat {seat} by `{service}`, which did not happen.",
    "Se jugó por el asiento {seat} por `{service}`, que no ocurrió.",
  ],
  no_clock: [
    "failure",
    "A seat was timed out in a game without a clock.",
    "Se agotó el tiempo de un asiento en una partida sin reloj.",
  ],
  timed_out_early: [
    "failure",
    "Seat {seat} was timed out before the time for decision {decision} was over.",
    "Se dio por agotado el tiempo del asiento {seat} antes del plazo de la decisión {decision}.",
  ],
  fault: [
    "failure",
    "Only in a tournament's game is it told whose fault a time-out is ({fault}).",
    "Solo en una partida de torneo consta de quién es la culpa de agotar el tiempo ({fault}).",
  ],
  interrupted: [
    "failure",
    "No clock stood still from {from} to {to}: there is none, or it stood still before.",
    "Ningún reloj se detuvo de {from} a {to}: no hay reloj, o ya se detuvo antes.",
  ],
  decision: [
    "failure",
    "Seat {seat} has no decision {decision} to answer.",
    "El asiento {seat} no tiene una decisión {decision} que contestar.",
  ],
  expected_head: [
    "failure",
    "The player had seen a head that is not in this history before it: the proof of a fork.",
    "El jugador había visto una cabeza que no está antes en esta historia: la prueba de una bifurcación.",
  ],
  bot_part: [
    "failure",
    "The part `bot` goes with a bot's moves, and with no others.",
    "La parte `bot` va con las jugadas de un bot, y con ninguna otra.",
  ],
  bot_client: [
    "failure",
    "A bot's move says which head its player had seen: only players' programs say that.",
    "La jugada de un bot dice qué cabeza había visto su jugador: solo lo dicen los programas de jugadores.",
  ],
  timed: [
    "failure",
    "It tells the time of a bot's decision, and only tournaments have budgets.",
    "Da el tiempo de la decisión de un bot, y solo los torneos tienen presupuestos.",
  ],
  bot_thoughts: [
    "failure",
    "A move of the service's bot has the part `thoughts`: only players' programs send that.",
    "La jugada de un bot del servicio tiene la parte `thoughts`: solo la envían los programas de jugadores.",
  ],
  bot_form: [
    "failure",
    "A bot's move leaves out what its seat does not say either.",
    "La jugada de un bot omite lo que tampoco dice su asiento.",
  ],
  bot_digest: [
    "failure",
    "The digest of a bot's code is missing in its first move, or repeated where it did not change.",
    "Falta el resumen del código de un bot en su primera jugada, o se repite donde no ha cambiado.",
  ],
  short: [
    "failure",
    "Only the seat of a bot says once what its moves would repeat; this one is a player's.",
    "Solo el asiento de un bot dice una vez lo que sus jugadas repetirían; este es de un jugador.",
  ],
  bot_other: [
    "failure",
    "The bot {bot}, or its settings, are not those of the seat's holder.",
    "El bot {bot}, o su configuración, no son los del titular del asiento.",
  ],
  bot_missing: [
    "failure",
    "A bot has no digest if, and only if, it was missing.",
    "Un bot no tiene resumen si, y solo si, faltaba.",
  ],
  take_back_scope: [
    "failure",
    "Where the luck is not the game's own, no move can be taken back.",
    "Donde la suerte no es de la propia partida no se puede retirar ninguna jugada.",
  ],
  take_back_off: [
    "failure",
    "At this table no move can be taken back.",
    "En esta mesa no se puede retirar ninguna jugada.",
  ],
  take_back_to: [
    "failure",
    "Seat {seat} cannot go back to event {to}.",
    "El asiento {seat} no puede volver al evento {to}.",
  ],
  take_back_often: [
    "failure",
    "Seat {seat} goes back to event {to} more than three times.",
    "El asiento {seat} vuelve al evento {to} más de tres veces.",
  ],
  hints_scope: [
    "failure",
    "Where the luck is not the game's own, nobody gets hints.",
    "Donde la suerte no es de la propia partida no hay pistas.",
  ],
  sign_scope: [
    "failure",
    "Where the luck is not the game's own, nobody signs.",
    "Donde el azar no es propio de la partida, nadie firma.",
  ],
  sign_no_key: [
    "failure",
    "Seat {seat} has no key to sign its moves with.",
    "El asiento {seat} no tiene clave con que firmar sus jugadas.",
  ],
  sign_key: [
    "failure",
    "Seat {seat} has a key, and signs nothing.",
    "El asiento {seat} tiene una clave, y no firma nada.",
  ],
  sign_nothing: [
    "failure",
    "Seat {seat} signs nothing, and this move has a signature.",
    "El asiento {seat} no firma nada, y esta jugada tiene una firma.",
  ],
  sign_missing: [
    "failure",
    "Seat {seat} has not signed its move.",
    "El asiento {seat} no ha firmado su jugada.",
  ],
  sign_audience: [
    "failure",
    "The signature is not for those who see its move.",
    "La firma no es para quienes ven su jugada.",
  ],
  sign_no_head: [
    "failure",
    "Seat {seat} has signed no head with its move.",
    "El asiento {seat} no ha firmado ninguna cabeza con su jugada.",
  ],
  sign_move: [
    "failure",
    "Seat {seat} did not sign this move with its key.",
    "El asiento {seat} no firmó esta jugada con su clave.",
  ],
  sign_old_head: [
    "failure",
    "Seat {seat} has taken back moves since the head that it signed.",
    "El asiento {seat} ha deshecho jugadas desde la cabeza que firmó.",
  ],
  sign_off: ["failure", "At this table nobody signs.", "En esta mesa nadie firma."],
  sign_new_key: [
    "failure",
    "The key that seat {seat} had did not sign its new one.",
    "La clave que tenía el asiento {seat} no firmó la nueva.",
  ],
  sign_service: [
    "note",
    "From event {event} on, the service alone says who seat {seat} is: its key was changed, and the key before did not sign that.",
    "Desde el evento {event}, solo el servicio dice quién es el asiento {seat}: su clave cambió, y la anterior no lo firmó.",
  ],
  sign_worth: [
    "note",
    "Players signed their moves, each with the key of the seat. If the page of the service made a player's key, the service could have signed with it: a key is worth what the program is that holds it.",
    "Los jugadores firmaron sus jugadas, cada uno con la clave de su asiento. Si la página del servicio creó la clave de un jugador, el servicio pudo firmar con ella: una clave vale lo que el programa que la guarda.",
  ],
  hints_off: ["failure", "At this table nobody gets hints.", "En esta mesa no hay pistas."],
  hint_by_bot: [
    "failure",
    "Only players ask for hints; seat {seat} is a bot's.",
    "Solo los jugadores piden pistas; el asiento {seat} es de un bot.",
  ],
  hint_twice: [
    "failure",
    "Seat {seat} asks twice for a hint for its decision {decision}.",
    "El asiento {seat} pide dos veces una pista para su decisión {decision}.",
  ],
  suspended: [
    "failure",
    "A game that is suspended already, or of a tournament, cannot be suspended.",
    "No se puede suspender una partida ya suspendida, o de un torneo.",
  ],
  resumed: [
    "failure",
    "A game that is not suspended cannot be resumed.",
    "No se puede reanudar una partida que no está suspendida.",
  ],
  aborted: [
    "failure",
    "The game cannot be aborted here by {by} with the reason {reason}.",
    "{by} no puede anular aquí la partida por la razón {reason}.",
  ],
  withheld: [
    "failure",
    "The seats that owe entropy are not {found}.",
    "Los asientos que deben entropía no son {found}.",
  ],
  result_sides: [
    "failure",
    "The result does not have each seat once, in order, and then the other sides.",
    "El resultado no tiene cada asiento una vez, en orden, y luego los otros bandos.",
  ],
  result_ranks: [
    "failure",
    "The ranks do not count from 1 with ties shared: {rank}.",
    "Los puestos no cuentan desde 1 con empates compartidos: {rank}.",
  ],
  result_resigned: [
    "failure",
    "{side} resigned, and is not ranked after all others.",
    "{side} abandonó, y no está clasificado tras todos los demás.",
  ],
  goes_on: [
    "open",
    "The record is not over: what is hidden until the end, dice included, is not checked yet.",
    "El registro no ha terminado: lo oculto hasta el final, dados incluidos, aún no se comprueba.",
  ],
  luck_closed: [
    "open",
    "The chance seed is not open: no draw could be checked.",
    "La semilla del azar no está abierta: ningún sorteo se pudo comprobar.",
  ],
  damaged: [
    "open",
    "The store was damaged from outside: what counts is up to event {version}, and it is never proved.",
    "El almacén fue dañado desde fuera: cuenta hasta el evento {version}, y nunca queda probado.",
  ],
  damaged_sound: [
    "failure",
    "Event {version} is not the one that is named as the last before the damage.",
    "El evento {version} no es el que se nombra como último antes del daño.",
  ],

  // Chance
  seed_commitment: [
    "failure",
    "The chance seed is not the one that was committed to before the game.",
    "La semilla del azar no es la que se comprometió antes de la partida.",
  ],
  chance_kept: [
    "failure",
    "The game is over, and its chance seed was not opened.",
    "La partida terminó, y su semilla del azar no se abrió.",
  ],
  chance_scope: [
    "failure",
    "The seed of another chance scope was opened: {scope}.",
    "Se abrió la semilla de otro ámbito del azar: {scope}.",
  ],
  draw_again: [
    "failure",
    "`{label}` {n} was drawn before: a draw's name comes once in a game.",
    "`{label}` {n} ya se sorteó: el nombre de un sorteo sale una vez en una partida.",
  ],
  picks_sizes: [
    "failure",
    "The picks of `{label}` {n} do not fit its sizes.",
    "Las extracciones de `{label}` {n} no encajan en sus tamaños.",
  ],
  picks: [
    "failure",
    "Pick {pick} of `{label}` {n} is {found}; by the seed it is {expected}.",
    "La extracción {pick} de `{label}` {n} es {found}; según la semilla es {expected}.",
  ],
  beacon_scope: [
    "failure",
    "A game whose luck is not its own has no beacon of its own.",
    "Una partida cuya suerte no es propia no tiene un faro propio.",
  ],
  beacon_round: [
    "failure",
    "The game waits for round {expected} of its beacon (0: for none), not for {found}.",
    "La partida espera la ronda {expected} de su faro (0: ninguna), no la {found}.",
  ],
  beacon_early: [
    "failure",
    "Round {round} of the beacon was not out yet, or seats could still reveal entropy.",
    "La ronda {round} del faro no había salido aún, o los asientos podían revelar aún su entropía.",
  ],
  beacon_signature: [
    "failure",
    "The chain of the beacon did not sign round {round} like that.",
    "La cadena del faro no firmó así la ronda {round}.",
  ],
  beacon_scheme: [
    "open",
    "The beacon's signature is of a scheme that this program does not check: {scheme}.",
    "La firma del faro es de un esquema que este programa no comprueba: {scheme}.",
  ],
  beacon_given: [
    "note",
    "Round {round} of the beacon {chain}, of {at}, went into the luck.",
    "La ronda {round} del faro {chain}, de {at}, entró en la suerte.",
  ],
  beacon_late: [
    "note",
    "The service says that the beacon was late, and started the game without it.",
    "El servicio dice que el faro llegó tarde, y empezó la partida sin él.",
  ],
  beacon_dated: [
    "note",
    "Whoever runs the service could have dated the closing of the table back, once the round was out; `lonja verify --log-key` finds out whether a witness saw it before.",
    "Quien opera el servicio pudo antedatar el cierre de la mesa cuando la ronda ya había salido; `lonja verify --log-key` averigua si un testigo lo vio antes.",
  ],
  beacon_unknown: [
    "note",
    "This program does not know the beacon's chain: whoever has its key could have chosen the seed.",
    "Este programa no conoce la cadena del faro: quien tenga su clave pudo elegir la semilla.",
  ],
  beacon_foreseen: [
    "note",
    "From that round on, whoever runs the service could foresee the dice of this game. Entropy of the players for each draw, or a key that several operators share, would end that, at a price: each draw would wait for all of them, and whoever is missing would stop the game.",
    "Desde esa ronda, quien opera el servicio pudo prever los dados de esta partida. Lo impediría la entropía de los jugadores en cada tirada, o una clave repartida entre varios operadores, a un precio: cada tirada esperaría a todos, y quien falte pararía la partida.",
  ],
  entropy_given: [
    "note",
    "Seat {seat} gave entropy: {who}.",
    "El asiento {seat} aportó entropía: {who}.",
  ],
  entropy_withheld: [
    "note",
    "Seat {seat} committed to entropy and did not give it in time: {who}.",
    "El asiento {seat} comprometió entropía y no la reveló a tiempo: {who}.",
  ],
  no_player_entropy: [
    "note",
    "No player gave entropy: whoever runs the service could have chosen the seed.",
    "Ningún jugador aportó entropía: quien opera el servicio pudo elegir la semilla.",
  ],
  no_entropy: [
    "note",
    "Nobody gave entropy of their own: whoever runs the service could have chosen the seed.",
    "Nadie aportó entropía propia: quien opera el servicio pudo elegir la semilla.",
  ],

  // Tournaments
  seed_given: [
    "note",
    "The host gave the seed: whoever knew it knew all luck beforehand.",
    "El anfitrión dio la semilla: quien la sabía conocía de antemano toda la suerte.",
  ],
  part_before: [
    "note",
    "This part begins with the results of the parts before, which are taken as told: the record of {tournament} proves them.",
    "Esta parte empieza con los resultados de las anteriores, que se dan por buenos: los prueba el registro de {tournament}.",
  ],
  tournament_goes_on: [
    "open",
    "The tournament is not over: what follows from its seed is not checked yet.",
    "El torneo no ha terminado: lo que sale de su semilla aún no se comprueba.",
  ],
  block: [
    "failure",
    "The blocks that are paired begin with {block}, not {expected}.",
    "Los bloques emparejados empiezan por el {block}, no por el {expected}.",
  ],
  lineup: [
    "failure",
    "A line-up has too few or too many seats, or an entry that is not in the plan.",
    "Un emparejamiento tiene asientos de más o de menos, o un participante que no está en el plan.",
  ],
  block_ended: [
    "failure",
    "Block {block} ends twice, was never paired, or does not count because an entry is out.",
    "El bloque {block} acaba dos veces, nunca se emparejó o no cuenta porque un participante está fuera.",
  ],
  block_abandoned: [
    "failure",
    "Try {tried} of block {block} is abandoned, and is not the one that was played, or the plan abandons nothing.",
    "Se abandona el intento {tried} del bloque {block}, que no es el que se jugaba, o el plan no abandona nada.",
  ],
  block_seats: [
    "failure",
    "The ranks, scores or times of a game in the block are not those of {seats} seats.",
    "Los puestos, puntos o tiempos de una partida del bloque no son los de {seats} asientos.",
  ],
  players: [
    "failure",
    "The plan enters a player twice, or its clock, luck, limit or rating does not go with players.",
    "El plan inscribe dos veces a un jugador, o su reloj, azar, límite o clasificación no va con jugadores.",
  ],
  places: [
    "failure",
    "The entries of the plan leave none of the {places} places free.",
    "Los participantes del plan no dejan libre ninguna de las {places} plazas.",
  ],
  ladder: [
    "failure",
    "An endless tournament needs as many bots of the service as seats, begins with one, and is not rated.",
    "Un torneo sin fin necesita tantos bots del servicio como asientos, empieza por uno y no clasifica.",
  ],
  part: [
    "failure",
    "The tournament is not the part that it says it is: its id, number or beginning does not fit.",
    "El torneo no es la parte que dice ser: su identificador, su número o su comienzo no encajan.",
  ],
  available: [
    "failure",
    "These entries do not wait for a game: bots of the service always can, and players once at a time.",
    "Estos participantes no esperan una partida: los bots del servicio siempre pueden, y los jugadores, una vez cada uno.",
  ],
  no_place_free: [
    "failure",
    "The tournament takes no entries of owners then: {kind}.",
    "El torneo no admite entonces inscripciones de propietarios: {kind}.",
  ],
  entered: [
    "failure",
    "{name} is no player, brings entropy, or is entered already.",
    "{name} no es un jugador, aporta entropía o ya está inscrito.",
  ],
  entry_names: [
    "failure",
    "Two entries have one name.",
    "Dos participantes tienen el mismo nombre.",
  ],
  code_names: [
    "failure",
    "The code that is declared is not that of the plan's bots.",
    "El código que se declara no es el de los bots del plan.",
  ],
  code_again: ["failure", "This code was declared before.", "Este código ya se había declarado."],
  withdrawn: [
    "failure",
    "Entry {entry} did not play, or block {block} was not paired.",
    "El participante {entry} no jugaba, o el bloque {block} no estaba emparejado.",
  ],
  extended: [
    "failure",
    "This tournament takes no {games} games more.",
    "Este torneo no admite {games} partidas más.",
  ],
  never_fails: [
    "failure",
    "In a tournament no bot fails because it is {cause}: it is waited for, or the block is played again.",
    "En un torneo ningún bot falla por «{cause}»: se le espera, o el bloque se juega de nuevo.",
  ],
  block_games: [
    "failure",
    "The block has {found} games, and {expected} rotations.",
    "El bloque tiene {found} partidas, y {expected} rotaciones.",
  ],
  games_missing: [
    "failure",
    "The header promises {expected} games; there are {found}.",
    "La cabecera promete {expected} partidas; hay {found}.",
  ],
  games_stop: [
    "open",
    "The games that follow were not checked.",
    "Las partidas que siguen no se comprobaron.",
  ],
  game_differs: [
    "failure",
    "The game of block {block}, rotation {rotation}, is not the one of the stream: {field} is {found}, not {expected}.",
    "La partida del bloque {block}, rotación {rotation}, no es la del torneo: {field} es {found}, no {expected}.",
  ],
  game_time: [
    "failure",
    "The game of block {block}, rotation {rotation}, was not played between its pairing and the end of its block.",
    "La partida del bloque {block}, rotación {rotation}, no se jugó entre su emparejamiento y el final de su bloque.",
  ],
  policy: [
    "failure",
    "The bot that failed did not go on as the plan says: {then}.",
    "El bot que falló no siguió como dice el plan: {then}.",
  ],
  budget_untold: [
    "failure",
    "The time of a bot's decision is told if, and only if, the plan has budgets.",
    "El tiempo de la decisión de un bot se da si, y solo si, el plan tiene presupuestos.",
  ],
  budget_used: [
    "failure",
    "The bot of seat {seat} moved though its budget was used up.",
    "El bot del asiento {seat} jugó aunque su presupuesto estaba agotado.",
  ],
  code_undeclared: [
    "failure",
    "The code of {bot} had not been declared when the block ended.",
    "El código de {bot} no se había declarado cuando acabó el bloque.",
  ],

  // Signatures
  proof_shape: [
    "failure",
    "The proof of the public log is none: {path} is {found}.",
    "La prueba del registro público no lo es: {path} es {found}.",
  ],
  proof_leaf: [
    "failure",
    "The proof of the public log is not of the last event of this record: {found}.",
    "La prueba del registro público no es del último evento de este registro: {found}.",
  ],
  proof_closed: [
    "failure",
    "The proof that the public log had the closed table is not of an event while it waited for its beacon: {found}.",
    "La prueba de que el registro público tenía la mesa cerrada no es de un evento mientras esperaba a su faro: {found}.",
  ],
  proof_checkpoint: [
    "failure",
    "The checkpoint in the proof of the public log is none.",
    "El punto de control de la prueba del registro público no lo es.",
  ],
  proof_path: [
    "failure",
    "The proof does not lead to the head of the public log {origin}.",
    "La prueba no lleva a la cabeza del registro público {origin}.",
  ],
  proof_fits: [
    "note",
    "The public log {origin}, it says, had this history at {at}, among {size} leaves. Its signatures are not checked here: `lonja verify --log-key` does.",
    "El registro público {origin}, según dice, tenía esta historia en {at}, entre {size} hojas. Aquí no se comprueban sus firmas: lo hace `lonja verify --log-key`.",
  ],
  proof_alone: [
    "note",
    "Nobody but the operator saw that log: it may show others another history.",
    "Nadie más que el operador ha visto ese registro público: puede mostrar a otros otra historia.",
  ],
  proof_seen: [
    "note",
    "Besides the operator, it says, {names} saw that log.",
    "Además del operador, según dice, vieron ese registro público: {names}.",
  ],
  receipt_shape: [
    "failure",
    "The receipt that was given is none: {path} is {found}.",
    "El recibo que se dio no lo es: {path} es {found}.",
  ],
  receipt_id: [
    "failure",
    "The receipt is of another game: {found}.",
    "El recibo es de otra partida: {found}.",
  ],
  receipt_key: [
    "failure",
    "The receipt names another key, {found}, than this record.",
    "El recibo nombra otra clave, {found}, que este registro.",
  ],
  receipt_signature: [
    "failure",
    "The signature of the receipt is not by this key.",
    "La firma del recibo no es de esta clave.",
  ],
  receipt_head: [
    "failure",
    "The receipt in the header answers a request, which a head does not.",
    "El recibo de la cabecera responde a una petición, lo que una cabeza no hace.",
  ],
  receipt_seq: [
    "failure",
    "The receipt is of event {found}, not {expected}.",
    "El recibo es del evento {found}, no del {expected}.",
  ],
  receipt_hash: [
    "failure",
    "The receipt has another hash than this event: the service signed a different history.",
    "El recibo tiene otro hash que este evento: el servicio firmó una historia distinta.",
  ],
  receipt_at: [
    "failure",
    "The receipt has another time than this event: {found}.",
    "El recibo tiene otra hora que este evento: {found}.",
  ],
  receipt_inside: [
    "failure",
    "The receipt is of an event inside a batch; receipts are of the last one.",
    "El recibo es de un evento dentro de un lote; los recibos son del último.",
  ],
  receipt_request: [
    "failure",
    "What the receipt says was asked is not what the record says.",
    "Lo que el recibo dice que se pidió no es lo que dice el registro.",
  ],
  receipt_later: [
    "open",
    "The receipt is of a later event than this record has; it has {version}.",
    "El recibo es de un evento posterior a los de este registro, que tiene {version}.",
  ],
  receipt_damaged: [
    "open",
    "The receipt is of event {seq}, which is damaged and does not count any more.",
    "El recibo es del evento {seq}, que está dañado y ya no cuenta.",
  ],
  receipt_hidden: [
    "open",
    "What the receipt was given for is hidden in this record.",
    "Aquello por lo que se dio el recibo está oculto en este registro.",
  ],
  key_other: [
    "failure",
    "The record names the key {found}, not the one that was given.",
    "El registro nombra la clave {found}, no la que se dio.",
  ],
  receipt_fits: [
    "note",
    "The receipt of event {seq} fits: the service signed this history up to there.",
    "El recibo del evento {seq} encaja: el servicio firmó esta historia hasta ahí.",
  ],
  future: [
    "note",
    "Its last event is of {at}, which is in the future by the clock of this machine.",
    "Su último evento es de {at}, que está en el futuro según el reloj de esta máquina.",
  ],
  key_trusted: [
    "note",
    "The record is signed with the key that you gave.",
    "El registro está firmado con la clave que diste.",
  ],
  key_claimed: [
    "note",
    "The record says that it is signed with the key {key}: compare it with one from a source that you trust.",
    "El registro dice que está firmado con la clave {key}: compárala con una de una fuente de confianza.",
  ],
};
