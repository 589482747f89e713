"""Words for a service that refuses a request or does not answer."""

from datetime import datetime

from lonja_client import Refused, Unreachable
from lonja_client.errors import CLOSED, CUT

from service.process.terminal import printable

_TEXTS = {
    "en": {
        "away": "The service has not answered since {since} ({why}). It is asked again at {again}.",
        "waits": "The service makes you wait since {since}: {why} It is asked again at {again}.",
        "move": "Your move is on its way, and counts once.",
        "final": "Nothing more comes from this table: {why}",
        "lost": "The service does not answer ({why}); it is asked again, and nothing is lost.",
        "held": "The service makes you wait: {why}",
        "back": "The service answers again, after {seconds} s.",
        "rewound": "The service has lost the newest events of this game; this is how it stands.",
        "unsent": "Your last move was not answered: whether it counts, you see when you come back.",
        "no_listener": "nothing listens there",
        "no_answer": "no answer in time",
        "cut": "the connection was cut",
        "no_name": "nobody knows this name",
        "no_route": "the network does not lead there",
        "no_trust": "its certificate is not trusted: {why}",
        "displaced": "Others need this stream's place.",
        "two_histories": "The service has told two histories of this game. Keep this: {why}",
        "http": "it answers {status}, and not as a Lonja does.",
        "401": "A player's key is needed: --key, or LONJA_KEY.",
        "unknown_key": "It does not know your key: look at --key, or LONJA_KEY.",
        "key_expired": "The time of your key is over: use another one.",
        "seat_key_over": "Your key was for one seat, and the game is over for it.",
        "banned": "You are banned there.",
        "insufficient_scope": "Your key is not made for that: use another one.",
        "not_your_seat": "That seat is not yours.",
        "invitation_refused": "Your invitation does not open this table.",
        "removed_by_host": "The host of this table has sent you away.",
        "unknown_game": "It has no such game, or none that your key may see.",
        "unknown_seat": "This game has no such seat; seats are numbered from 0.",
        "unknown_ruleset": "It does not have this game.",
        "unknown_bot": "It does not have this bot.",
        "seat_taken": "Somebody sits on that seat already.",
        "rated_table": "This table is rated: it is for people, each on one seat.",
        "seat_reserved": "That seat is kept for somebody else.",
        "seat_resigned": "This seat has resigned; the rules answer for it.",
        "not_in_lobby": "The game has begun: nobody sits down any more.",
        "not_running": "The game has not begun yet.",
        "not_your_turn": "You are not asked any more.",
        "stale_version": "The game went on meanwhile: look again, then choose.",
        "too_late": "Your time for this was up.",
        "game_over": "The game is over.",
        "game_suspended": "Who runs the service has suspended this game; time stands still.",
        "game_sealed": "A tournament plays it: it can be seen when its block has ended.",
        "game_damaged": "Its record of this game is damaged; who runs the service has to mend it.",
        "rules_version_unavailable": "It lacks the version of the rules of this game.",
        "rate_limited": "You ask too often.",
        "stream_share_used": "You follow as many games as you may at once.",
        "too_many_connections": "Your address has too many connections open.",
        "too_many_games": "Too many of your games are unfinished: end one first.",
        "too_many_streams": "It has no room for more who follow.",
        "storage_nearly_full": "It has no room for new games for now.",
        "store_unavailable": "Its games cannot be reached just now.",
        "stopping": "It is about to stop.",
        "internal_error": "It made a mistake; its log knows it as {request_id}.",
    },
    "es": {
        "away": "El servicio no responde desde las {since} ({why}). Se le vuelve a preguntar a las"
        " {again}.",
        "waits": "El servicio te hace esperar desde las {since}: {why} Se le pregunta otra vez"
        " a las {again}.",
        "move": "Tu jugada está en camino, y cuenta una sola vez.",
        "final": "De esta mesa no llega nada más: {why}",
        "lost": "El servicio no responde ({why}); se le pregunta otra vez, y nada se pierde.",
        "held": "El servicio te hace esperar: {why}",
        "back": "El servicio vuelve a responder, después de {seconds} s.",
        "rewound": "El servicio ha perdido lo último de esta partida; así está ahora.",
        "unsent": "Tu última jugada quedó sin respuesta: si cuenta, lo verás cuando vuelvas.",
        "no_listener": "ahí no escucha nadie",
        "no_answer": "no responde a tiempo",
        "cut": "se cortó la conexión",
        "no_name": "nadie conoce ese nombre",
        "no_route": "la red no llega hasta ahí",
        "no_trust": "su certificado no es de confianza: {why}",
        "displaced": "Otros necesitan el sitio de esta conexión.",
        "two_histories": "El servicio ha contado dos historias de esta partida. Guarda esto: {why}",
        "http": "responde {status}, y no como lo hace Lonja.",
        "401": "Hace falta la clave de un jugador: --key, o LONJA_KEY.",
        "unknown_key": "No conoce tu clave: mira --key, o LONJA_KEY.",
        "key_expired": "Tu clave ha caducado: usa otra.",
        "seat_key_over": "Tu clave era para un solo asiento, y la partida ha acabado para él.",
        "banned": "Estás expulsado de ahí.",
        "insufficient_scope": "Tu clave no está hecha para eso: usa otra.",
        "not_your_seat": "Ese asiento no es tuyo.",
        "invitation_refused": "Tu invitación no abre esta mesa.",
        "removed_by_host": "Quien convocó esta mesa te ha echado.",
        "unknown_game": "No tiene esa partida, o ninguna que tu clave pueda ver.",
        "unknown_seat": "Esta partida no tiene ese asiento; se numeran desde 0.",
        "unknown_ruleset": "No tiene este juego.",
        "unknown_bot": "No tiene este bot.",
        "seat_taken": "En ese asiento ya hay alguien.",
        "rated_table": "Esta mesa puntúa: es para personas, cada una en un asiento.",
        "seat_reserved": "Ese asiento se guarda para otra persona.",
        "seat_resigned": "Este asiento ha abandonado; las reglas responden por él.",
        "not_in_lobby": "La partida ha empezado: ya nadie se sienta.",
        "not_running": "La partida aún no ha empezado.",
        "not_your_turn": "Ya no se te pide nada.",
        "stale_version": "La partida siguió entretanto: mira otra vez y luego elige.",
        "too_late": "Se te acabó el tiempo para esto.",
        "game_over": "La partida ha terminado.",
        "game_suspended": "Quien lleva el servicio ha suspendido la partida; el tiempo se detiene.",
        "game_sealed": "La juega un torneo: se verá cuando acabe su bloque.",
        "game_damaged": "Su registro de la partida está dañado; lo arregla quien lo lleva.",
        "rules_version_unavailable": "Le falta la versión de las reglas de esta partida.",
        "rate_limited": "Preguntas demasiado a menudo.",
        "stream_share_used": "Ya sigues tantas partidas a la vez como puedes.",
        "too_many_connections": "Tu dirección tiene demasiadas conexiones abiertas.",
        "too_many_games": "Tienes demasiadas partidas sin terminar: acaba antes alguna.",
        "too_many_streams": "No tiene sitio para más seguidores.",
        "storage_nearly_full": "Por ahora no tiene sitio para partidas nuevas.",
        "store_unavailable": "Ahora mismo no se llega a sus partidas.",
        "stopping": "Está a punto de parar.",
        "internal_error": "Ha cometido un error; en su registro es {request_id}.",
    },
}  # fmt: skip


def tell(language: str, key: str, **values: object) -> str:
    """Return the text ``key``, with ``values`` filled in."""
    return _TEXTS[language][key].format(**values)


def is_known(error: Refused) -> bool:
    """Whether this module has a text for the code of a refusal."""
    return error.code in _TEXTS["en"]


def refusal(language: str, error: Refused) -> str:
    """Return a refusal in words; unknown ones are quoted from the service."""
    texts, problem = _TEXTS[language], error.problem
    if not error.code:
        return tell(language, "http", status=error.status)
    if error.code == "illegal_move" and problem.get("label"):
        return printable(str(problem["label"]))
    if error.code in texts:
        return printable(tell(language, error.code, request_id=problem.get("request_id")))
    if str(error.status) in texts:
        return tell(language, str(error.status))
    return printable(f"{error.detail} ({error.code})")


def silence(language: str, error: Unreachable) -> str:
    """Return the reason why a service does not answer, in words."""
    why = CUT if error.why == CLOSED else error.why
    return printable(tell(language, why, why=error.detail))


def clock(moment: datetime) -> str:
    """Return a time of day in local time."""
    return f"{moment:%H:%M:%S}"
