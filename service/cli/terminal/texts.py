"""The program's own texts, in each language; a game's words come from its ruleset."""

_TEXTS = {
    "en": {
        "thinking": "{who}: {asked} …",
        "made": "The move is made …",
        "waiting": "Waiting for {who} …",
        "paused": "Enter: on to the next move",
        "seconds": "({seconds} s)",
        "time_left": "{time} left",
        "over": "The game is over. Enter shows the result, ^Q leaves.",
        "type_amount": "Type an amount: {amounts}",
        "type_here": "word, number, arrows",
        "keys_hint": "The arrow keys or what you type picks, Enter does it; ? explains all.",
        "small": (
            "The game needs a window of {columns} columns and {lines} lines; this one has {width}"
            " and {height}. Make it larger, or play in plain lines: `lonja play --plain`."
        ),
        "listed": "{shown}\u00a0of\u00a0{count}\u00a0↓",
        "never_before": "You have not made a move here before that is possible now.",
        "just_now": "Just now",
        "taken_back": "Your last move is taken back.",
        "back_count": "Moves that you can take back now: {count}.",
        "back_none": (
            "There is nothing to take back: only your newest moves can be, while no draw, no other"
            " player and nothing secret has followed, and to each question three times."
        ),
        "back_never": "No move can be taken back at this table.",
        "hint_title": "What would {who} do?",
        "hint_asks": "{who} thinks about it …",
        "hint_would": "{who} would do this: {move}",
        "hint_leads": "expected: {points} points ahead of the mean of the others",
        "hint_behind": "expected: {points} points behind the mean of the others",
        "hint_costs": "{move}: costs {points} points",
        "hint_same": "{move}: no difference shows, {points} points",
        "hint_better": "{move}: came out better by {points} points",
        "hint_note": "It is a guess of {who}, from what you know.",
        "hint_failed": "There is no hint: {why}",
        "goes_on": "Enter goes on with this, Esc takes it back.",
        "pick_first": (
            "Nothing is picked yet: pick with the arrow keys, or type a word or an amount."
        ),
        "none": "Nothing in the list has “{typed}” in it. Esc empties the line.",
        "not_amount": "{typed} is not among the amounts: {amounts}",
        "ways": "{count} ways",
        "stops_draw": "Then chance decides.",
        "stops_reveal": "Then what is secret is shown.",
        "stops_end": "Then the game ends.",
        "next_you": "Then you: {asks}",
        "next_other": "Then {who}: {asks}",
        "nothing_else": "It does what it says, and nothing else.",
        "resume": "The game is saved: `lonja play --resume {name}` goes on.",
        "come_back": "The game goes on: `lonja play --url {url} --game {game}` comes back to it.",
        "bot_stopped": "The machine had no time for it; the rules answer for it ({why}).",
        "bot_too_slow": "It thought for too long; the rules answer for it ({why}).",
        "bot_crashed": "It crashed; the rules answer for it ({why}).",
        "bot_illegal": "What it wanted is not allowed; the rules answer for it ({why}).",
        "bot_missing": "It is not installed here; the rules answer for it ({why}).",
        "no_bots": "The bots cannot be asked ({why}). The game is saved.",
        "lobby": "The game starts when all seats are held, and entropy that was promised is given.",
        "beacon": "A round of the public beacon {chain} goes into the luck, the first one half a"
        " minute after all seats are held, so that nobody chooses it. If it is late, the game"
        " {late}.",
        "beacon_abort": "is aborted",
        "beacon_start": "begins without it",
        "beacon_awaited": "The luck waits for round {round} of the beacon {chain}, out at {at}.",
        "beacon_foreseen": "Whoever runs the service still foresees the luck from that round on."
        " Entropy of the players for each draw, or a key that several operators share, would end"
        " that, and let each draw wait for all of them: {url}/docs/proving",
        "join": "{seat} is still free. Somebody takes it with `{command}`.",
        "not_saved": "The game is not saved: {why}",
        "no_entropy": "You bring no entropy to the luck, for it cannot be kept: {why}",
        "refused": "That was refused: {why}",
        "log": "What happened",
        "rules": "The rules",
        "no_rules": "The rules of this game are not written.",
        "result": "The result",
        "help": "Help",
        "close": "Esc closes",
        "scroll": "↑ ↓ PgUp PgDn scroll",
        "sections": "Tab: next section",
        "asked_now": "You are asked to: {asked}",
        "not_asked": "You are not asked now.",
        "your_choices": "Your choices",
        "of_the_rules": "From the rules",
        "keys_title": "Keys",
        "keys_text": (
            "type           an amount is an amount; words search all that you may do\n"
            "arrows Enter   pick from the list or on the board; what that would do stands below\n"
            "=              as last time: what you answered to such a question before\n"
            "Esc            empty the line, or take the last step back\n"
            "Tab Shift-Tab  the next part of the board, and the one before\n"
            "PgUp PgDn      scroll the board; Ctrl-↑ Ctrl-↓ by a line\n"
            "^B  F4         the board alone, on the whole screen, with all explanations\n"
            "^L  F3         all that happened\n"
            "^P  F5         look back, event by event, while the game goes on\n"
            "^R  F2         the rules\n"
            "^Z  F8         take back your last move. {back}\n"
            "^G  F9         a hint: what a bot would do here, and why\n"
            "^S  F6         how fast the others play: {pace}\n"
            "^T  F7         light or dark\n"
            "^Q  ^C         leave; the game is saved after each move"
        ),
        "key_help": "Help",
        "key_again": "Again",
        "key_undo": "Undo",
        "key_hint": "Hint",
        "key_part": "Part",
        "key_board": "Board",
        "whole": "whole",
        "key_log": "Log",
        "key_rules": "Rules",
        "key_past": "Past",
        "key_now": "Now",
        "key_pace": "Pace",
        "key_back": "Back",
        "key_shade": "Colours",
        "key_quit": "Quit",
        "key_event": "Event",
        "key_turn": "Turn",
        "key_run": "Play",
        "key_eyes": "Eyes",
        "key_result": "Result",
        "pace": "{seconds} s a move",
        "pace_step": "Enter for each move",
        "pace_now": "Pace: {pace}",
        "chooser": "What do you want to play?",
        "chooser_resume": "Go on with a saved game",
        "saved_at": "{title}, {when}",
        "saved_over": "{title}, {when}, over",
        "seats": "How many play?",
        "seats_of": "{count} players",
        "seat": "Where do you sit?",
        "bot": "Against which bots?",
        "bot_level_1": "very easy, plays at random",
        "bot_level_2": "easy, takes what looks best at once",
        "bot_level_3": "medium, looks a few moves ahead",
        "bot_level_4": "hard, searches",
        "bot_level_5": "very hard, searches deeply",
        "bot_strength": "; ahead of {other} {times} times in 100",
        "bot_level": "{name}, level {level} of 5: {words}",
        "pace_asked": "How fast do they play?",
        "start": "Enter picks, Esc goes back, ^Q leaves.",
        "quit": "You left the game.",
        "seed": "Game seed: {seed} (`--seed {seed}` plays it again).",
        "prompt": "Your move",
        "plain_keys": (
            "#1, amount, word; = again; Enter more; h hint; ? help; < back; b board; q quit"
        ),
        "plain_undo": "u: take back your last move ({count} can be)",
        "what": "{typed} is neither in the list, #1 to #{last}, nor an amount that is asked for.",
        "more": "… {count} more: Enter shows them",
        "nothing_saved": "No game is saved in {folder}.",
        "replay_at": "Event {version} of {last}",
        "eyes": "through the eyes of {who}",
        "spectator": "a spectator",
        "everybody": "everybody",
        "not_begun": "the game has not begun",
        "your_key": "You are a player of {url} now. Your key, which is told this once: {made}",
        "keep_key": "Keep it: `export LONJA_KEY={made}`, and you come back as the same player.",
        "key_bound": "Seat {seat} now signs with the key of this folder; its former key says so.",
        "key_replaced": "Seat {seat} now signs with the key of this folder. From here on, the"
        " service alone says who this seat is.",
        "seeking": "You wait for others: {title}, {seats} players. Ctrl-C ends it.",
        "nobody_came": "Nobody came in time.",
        "asked_meanwhile": "You are asked: {asked}. Esc goes back to the table.",
        "new_events": "New meanwhile, {count}: {newest}",
    },
    "es": {
        "thinking": "{who}: {asked} …",
        "made": "La jugada está hecha …",
        "waiting": "Se espera a {who} …",
        "paused": "Intro: la jugada siguiente",
        "seconds": "({seconds} s)",
        "time_left": "quedan {time}",
        "over": "La partida ha terminado. Intro muestra el resultado, ^Q sale.",
        "type_amount": "Escribe una cantidad: {amounts}",
        "type_here": "palabra, cifra, flechas",
        "keys_hint": "Las flechas o lo que escribas elige, Intro lo hace; ? lo explica todo.",
        "small": (
            "La partida necesita una ventana de {columns} columnas y {lines} líneas; esta tiene"
            " {width} y {height}. Agrándala, o juega en líneas sencillas: `lonja play --plain`."
        ),
        "listed": "{shown}\u00a0de\u00a0{count}\u00a0↓",
        "never_before": "Aún no has hecho aquí ninguna jugada que ahora sea posible.",
        "just_now": "Hace un momento",
        "taken_back": "Tu última jugada queda retirada.",
        "back_count": "Jugadas que puedes retirar ahora: {count}.",
        "back_none": (
            "No hay nada que retirar: solo se retiran tus últimas jugadas, si no las sigue ni azar,"
            " ni otro jugador, ni nada secreto, y tres veces por pregunta."
        ),
        "back_never": "En esta mesa no se retiran jugadas.",
        "hint_title": "¿Qué haría {who}?",
        "hint_asks": "{who} lo piensa …",
        "hint_would": "{who} haría esto: {move}",
        "hint_leads": "se esperan {points} puntos de ventaja sobre la media de los demás",
        "hint_behind": "se esperan {points} puntos menos que la media de los demás",
        "hint_costs": "{move}: cuesta {points} puntos",
        "hint_same": "{move}: no se aprecia diferencia, {points} puntos",
        "hint_better": "{move}: salió mejor por {points} puntos",
        "hint_note": "Es una conjetura de {who}, según lo que tú sabes.",
        "hint_failed": "No hay pista: {why}",
        "goes_on": "Intro sigue con esto, Esc lo deshace.",
        "pick_first": (
            "Aún no has elegido: elige con las flechas, o escribe una palabra o una cantidad."
        ),
        "none": "Nada en la lista contiene «{typed}». Esc vacía la línea.",
        "not_amount": "{typed} no está entre las cantidades: {amounts}",
        "ways": "{count} maneras",
        "stops_draw": "Después decide el azar.",
        "stops_reveal": "Después se muestra lo secreto.",
        "stops_end": "Después termina la partida.",
        "next_you": "Después tú: {asks}",
        "next_other": "Después {who}: {asks}",
        "nothing_else": "Hace lo que dice, y nada más.",
        "resume": "La partida está guardada: `lonja play --resume {name}` la continúa.",
        "come_back": "La partida sigue: `lonja play --url {url} --game {game}` vuelve a ella.",
        "bot_stopped": "La máquina no tuvo tiempo para él; las reglas responden por él ({why}).",
        "bot_too_slow": "Ha pensado demasiado; las reglas responden por él ({why}).",
        "bot_crashed": "Se ha roto; las reglas responden por él ({why}).",
        "bot_illegal": "Lo que quería no vale; las reglas responden por él ({why}).",
        "bot_missing": "No está instalado aquí; las reglas responden por él ({why}).",
        "no_bots": "No se puede preguntar a los bots ({why}). La partida está guardada.",
        "lobby": "La partida empieza con todos los asientos ocupados y la entropía prometida.",
        "beacon": "Una ronda del faro público {chain} entra en la suerte, la primera medio minuto"
        " después de ocuparse todos los asientos, para que nadie la elija. Si llega tarde, la"
        " partida {late}.",
        "beacon_abort": "se cancela",
        "beacon_start": "empieza sin ella",
        "beacon_awaited": "La suerte espera a la ronda {round} del faro {chain}, que sale a las"
        " {at}.",
        "beacon_foreseen": "Quien opera el servicio sigue previendo la suerte desde esa ronda. Lo"
        " impediría la entropía de los jugadores en cada tirada, o una clave repartida entre varios"
        " operadores, y cada tirada esperaría a todos: {url}/docs/proving",
        "join": "{seat} está libre todavía. Se ocupa con `{command}`.",
        "not_saved": "La partida no se guarda: {why}",
        "no_entropy": "No aportas entropía al azar, porque no se puede guardar: {why}",
        "refused": "Se ha rechazado: {why}",
        "log": "Lo que ha pasado",
        "rules": "Las reglas",
        "no_rules": "Las reglas de este juego no están escritas.",
        "result": "El resultado",
        "help": "Ayuda",
        "close": "Esc cierra",
        "scroll": "↑ ↓ RePág AvPág desplazan",
        "sections": "Tab: sección siguiente",
        "asked_now": "Se te pide: {asked}",
        "not_asked": "Ahora no se te pide nada.",
        "your_choices": "Lo que puedes hacer",
        "of_the_rules": "De las reglas",
        "keys_title": "Teclas",
        "keys_text": (
            "escribir       una cantidad es una cantidad; las palabras buscan jugadas\n"
            "flechas Intro  elegir de la lista o en el tablero; debajo dice lo que haría\n"
            "=              como la última vez: lo que respondiste a una pregunta así\n"
            "Esc            vaciar la línea, o deshacer el último paso\n"
            "Tab Mayús-Tab  la parte siguiente del tablero, y la anterior\n"
            "RePág AvPág    desplazar el tablero; Ctrl-↑ Ctrl-↓ por líneas\n"
            "^B  F4         solo el tablero, en toda la pantalla, con todas las explicaciones\n"
            "^L  F3         todo lo que ha pasado\n"
            "^P  F5         mirar atrás, suceso a suceso, mientras la partida sigue\n"
            "^R  F2         las reglas\n"
            "^Z  F8         retirar tu última jugada. {back}\n"
            "^G  F9         una pista: qué haría aquí un bot, y por qué\n"
            "^S  F6         el ritmo de los demás: {pace}\n"
            "^T  F7         claro u oscuro\n"
            "^Q  ^C         salir; la partida se guarda tras cada jugada"
        ),
        "key_help": "Ayuda",
        "key_again": "Otra vez",
        "key_undo": "Retirar",
        "key_hint": "Pista",
        "key_part": "Parte",
        "key_board": "Tablero",
        "whole": "entero",
        "key_log": "Diario",
        "key_rules": "Reglas",
        "key_past": "Antes",
        "key_now": "Ahora",
        "key_pace": "Ritmo",
        "key_back": "Atrás",
        "key_shade": "Colores",
        "key_quit": "Salir",
        "key_event": "Suceso",
        "key_turn": "Turno",
        "key_run": "Ver",
        "key_eyes": "Ojos",
        "key_result": "Final",
        "pace": "{seconds} s por jugada",
        "pace_step": "Intro por jugada",
        "pace_now": "Ritmo: {pace}",
        "chooser": "¿A qué quieres jugar?",
        "chooser_resume": "Continuar una partida guardada",
        "saved_at": "{title}, {when}",
        "saved_over": "{title}, {when}, terminada",
        "seats": "¿Cuántos juegan?",
        "seats_of": "{count} jugadores",
        "seat": "¿Dónde te sientas?",
        "bot": "¿Contra qué bots?",
        "bot_level_1": "muy fácil, juega al azar",
        "bot_level_2": "fácil, toma lo que mejor parece",
        "bot_level_3": "medio, mira unas jugadas adelante",
        "bot_level_4": "difícil, busca",
        "bot_level_5": "muy difícil, busca a fondo",
        "bot_strength": "; delante de {other} {times} de cada 100 veces",
        "bot_level": "{name}, nivel {level} de 5: {words}",
        "pace_asked": "¿Con qué ritmo juegan?",
        "start": "Intro elige, Esc vuelve, ^Q sale.",
        "quit": "Has dejado la partida.",
        "seed": "Semilla: {seed} (`--seed {seed}` repite la partida).",
        "prompt": "Tu jugada",
        "plain_keys": (
            "#1, palabra; = repite; Intro más; h pista; ? ayuda; < atrás; b tablero; q salir"
        ),
        "plain_undo": "u: retirar tu última jugada (se pueden {count})",
        "what": "{typed} no está en la lista, de #1 a #{last}, ni es una cantidad que se pida.",
        "more": "… {count} más: pulsa Intro",
        "nothing_saved": "No hay partidas guardadas en {folder}.",
        "replay_at": "Suceso {version} de {last}",
        "eyes": "con los ojos de {who}",
        "spectator": "un espectador",
        "everybody": "todos",
        "not_begun": "la partida no ha empezado",
        "your_key": "Ya juegas en {url}. Tu clave, que solo se dice esta vez: {made}",
        "keep_key": "Guárdala: `export LONJA_KEY={made}`, y vuelves como el mismo jugador.",
        "key_bound": "El asiento {seat} firma ya con la clave de esta carpeta: lo dice la otra.",
        "key_replaced": "El asiento {seat} firma ya con la clave de esta carpeta. Desde aquí, solo"
        " el servicio dice quién es.",
        "seeking": "Esperas a otros: {title}, {seats} jugadores. Ctrl-C lo termina.",
        "nobody_came": "Nadie llegó a tiempo.",
        "asked_meanwhile": "Se te pide: {asked}. Esc vuelve a la mesa.",
        "new_events": "Nuevo entretanto, {count}: {newest}",
    },
}


def say(language: str, key: str, **values: object) -> str:
    """Return the text ``key``, with ``values`` filled in."""
    return _TEXTS[language][key].format(**values)
