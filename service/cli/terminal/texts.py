"""What the program itself says, in each language; a game's own words come from its ruleset."""

_TEXTS = {
    "en": {
        "thinking": "{who}: {asked} …",
        "waiting": "Waiting for {who} …",
        "paused": "Enter: on to the next move",
        "over": "The game is over. {keys}",
        "type_amount": "Type an amount: {amounts}",
        "type_here": "type an amount or a word, or pick with ↑ ↓",
        "keys_hint": "? explains what you are asked, and all keys.",
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
        "lobby": "The table is not full yet: the game starts when all seats are held.",
        "not_saved": "The game is not saved: {why}",
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
            "↑ ↓ Enter      pick from the list; below it stands what that would do\n"
            "Esc            empty the line, or take the last step back\n"
            "Tab Shift-Tab  the next part of the board, and the one before\n"
            "PgUp PgDn      scroll the board; Ctrl-↑ Ctrl-↓ by a line\n"
            "^B  F4         the board alone, on the whole screen\n"
            "^L  F3         all that happened\n"
            "^R  F2         the rules\n"
            "^S  F6         how fast the others play: {pace}\n"
            "^T  F7         light or dark\n"
            "^Q  ^C         leave; the game is saved after each move"
        ),
        "key_help": "Help",
        "key_part": "Part",
        "key_board": "Board",
        "key_log": "Log",
        "key_rules": "Rules",
        "key_pace": "Pace",
        "key_back": "Back",
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
        "bot_level": "{name}, level {level} of 5",
        "pace_asked": "How fast do they play?",
        "start": "Enter picks, Esc goes back, ^Q leaves.",
        "quit": "You left the game.",
        "seed": "Game seed: {seed} (`--seed {seed}` plays it again).",
        "prompt": "Your move",
        "plain_keys": (
            "A number of the list, an amount, or a word; Enter: more; ? or ?3: help; <: back;"
            " b: board; q: quit"
        ),
        "what": "{typed} is neither in the list, 1 to {last}, nor an amount that is asked for.",
        "which": "{typed} can mean:",
        "letter": "Which letter",
        "more": "… {count} more: Enter shows them",
        "nothing_saved": "No game is saved in {folder}.",
        "replay_at": "Event {version} of {last}",
        "replay_keys": "←→ event · PgUp/PgDn turn · Home/End · s eyes · space play",
        "eyes": "through the eyes of {who}",
        "spectator": "a spectator",
        "everybody": "everybody",
        "live": "live",
        "lost": "The service does not answer ({why}); trying again …",
    },
    "es": {
        "thinking": "{who}: {asked} …",
        "waiting": "Se espera a {who} …",
        "paused": "Intro: la jugada siguiente",
        "over": "La partida ha terminado. {keys}",
        "type_amount": "Escribe una cantidad: {amounts}",
        "type_here": "escribe una cantidad o una palabra, o elige con ↑ ↓",
        "keys_hint": "? explica lo que se te pide, y todas las teclas.",
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
        "lobby": "Aún hay asientos libres: la partida empieza cuando todos estén ocupados.",
        "not_saved": "La partida no se guarda: {why}",
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
            "↑ ↓ Intro      elegir de la lista; debajo dice lo que haría\n"
            "Esc            vaciar la línea, o deshacer el último paso\n"
            "Tab Mayús-Tab  la parte siguiente del tablero, y la anterior\n"
            "RePág AvPág    desplazar el tablero; Ctrl-↑ Ctrl-↓ por líneas\n"
            "^B  F4         solo el tablero, en toda la pantalla\n"
            "^L  F3         todo lo que ha pasado\n"
            "^R  F2         las reglas\n"
            "^S  F6         el ritmo de los demás: {pace}\n"
            "^T  F7         claro u oscuro\n"
            "^Q  ^C         salir; la partida se guarda tras cada jugada"
        ),
        "key_help": "Ayuda",
        "key_part": "Parte",
        "key_board": "Tablero",
        "key_log": "Diario",
        "key_rules": "Reglas",
        "key_pace": "Ritmo",
        "key_back": "Atrás",
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
        "bot_level": "{name}, nivel {level} de 5",
        "pace_asked": "¿Con qué ritmo juegan?",
        "start": "Intro elige, Esc vuelve, ^Q sale.",
        "quit": "Has dejado la partida.",
        "seed": "Semilla: {seed} (`--seed {seed}` repite la partida).",
        "prompt": "Tu jugada",
        "plain_keys": (
            "Un número de la lista, una cantidad o una palabra; Intro: más; ? o ?3: ayuda;"
            " <: atrás; b: tablero; q: salir"
        ),
        "what": "{typed} no está en la lista, del 1 al {last}, ni es una cantidad que se pida.",
        "which": "{typed} puede ser:",
        "letter": "Qué letra",
        "more": "… {count} más: pulsa Intro",
        "nothing_saved": "No hay partidas guardadas en {folder}.",
        "replay_at": "Suceso {version} de {last}",
        "replay_keys": "←→ suceso · RePág/AvPág turno · Inicio/Fin · s ojos · espacio",
        "eyes": "con los ojos de {who}",
        "spectator": "un espectador",
        "everybody": "todos",
        "live": "en directo",
        "lost": "El servicio no responde ({why}); se intenta otra vez …",
    },
}


def say(language: str, key: str, **values: object) -> str:
    """Return a text, filled."""
    return _TEXTS[language][key].format(**values)
