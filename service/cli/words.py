"""A game in words: events, moves and effects as sentences, in Spanish and English."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.drawing import plain
from rules.kernel.contract.effects import Effect, EffectLog, can_see
from rules.kernel.contract.labels import Labels
from rules.kernel.contract.move import Move
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.scores import StandingInWords, told_standings
from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import CANCELLED, CLOCK, SERVICE_FAULT
from rules.kernel.record.events import Event
from rules.kernel.record.game import Game
from rules.kernel.record.instants import to_ms
from service.catalogue.bots import called
from service.ledger.kinds import BOT

_COLUMNS = 80
"""The width of boards in plain lines, which go to pipes and logs as well as to terminals."""

_WORDS = Labels(
    {
        "en": {
            "seat": "Seat {number}",
            "created": "The table is opened: {title} {version}, {seats:seat|seats}",
            "seated": "{seat} is taken by {holder}",
            "bot": "the bot {name}",
            "player": "a player",
            "program": "the program[ {name}]",
            "left": "{seat} is free again",
            "closed": "All seats are held; entropy or a beacon is awaited",
            "entropy_revealed": "{seat} opens its entropy",
            "started": "The game starts",
            "beacon_drawn": "The round of the beacon is there",
            "started_without": "The game starts without what is late: entropy, or the beacon",
            "moved": "{seat}: {move}",
            "defaulted": "{seat}, by default[ ({why:why})]: {move}",
            "why.resigned": "has resigned",
            "why.timed_out": "out of time",
            "why.bot_failed": "the bot failed",
            "secret": "{seat} moves in secret",
            "resigned": "{seat} resigns",
            "hinted": "{seat} asks for a hint",
            "key_changed": "{seat} has another key, which the one before has signed",
            "key_changed.service": (
                "{seat} has another key; from here on, the service alone says who this is"
            ),
            "undone": "{seat} takes back: all is again as after event {to}",
            "timed_out": "{seat}'s time is up",
            "timed_out.service": "{seat}'s time is up because the service was away",
            "bot_failed": "{seat}'s bot failed",
            "chanced": "Nature draws, unseen",
            "aborted": "The game is aborted[: {why}]",
            "aborted.cancelled": "its host has cancelled it",
            "aborted.not_started": "it has not started in time",
            "aborted.entropy_withheld": "somebody has not opened their entropy",
            "aborted.beacon_withheld": "the beacon was late",
            "aborted.tournament_cancelled": "its tournament was cancelled",
            "aborted.block_abandoned": "its block is played again, because a bot failed through no"
            " fault of its own, or another game is damaged",
            "aborted.damaged": "its log is damaged",
            "aborted.ended_by_operator": "who runs the service has ended it",
            "suspended": "Who runs the service suspends the game; time stands still",
            "resumed": "The game goes on",
            "interrupted": "The service was away for {seconds} s; clocks stood still",
            "ended": "The game ends: {reason}",
            "standing": "{rank}. {side}: {score}[ ({parts})][; {notes}]",
            "chance_revealed": "The chance seed is opened",
            "free": "free",
            "status.lobby": "waits for players",
            "status.closed": "waits for entropy",
            "status.running": "goes on",
            "status.ended": "is over",
            "status.aborted": "was aborted",
            "status.suspended": "stands still",
            "head.game": "game",
            "head.status": "status",
            "head.at": "opened at (UTC)",
            "head.players": "players",
            "exported": "{file}: {events:event|events}, {status:exported}.",
            "exported.lobby": "lobby",
            "exported.closed": "closed",
            "exported.running": "running",
            "exported.ended": "ended",
            "exported.aborted": "aborted",
            "exported.suspended": "suspended",
            "no_games": "There are no such games.",
            "more_games": "These are the newest {limit}: --limit lists more.",
            "service_refuses": "The service refuses[ {asked}]: {why}",
            "service_silent": "The service[ at {url}] does not answer: {why}",
            "record_changed": "The record has changed since the connection was cut: try again.",
            "left_watching": "You stopped watching; `lonja watch {game} --url {url}` comes back.",
            "not_started": "The game has not started.",
            "proved": "This record is proved.",
            "failed": "This record is NOT what it claims to be: it fails {names} (`lonja verify`).",
            "not_wholly_proved": "This record is not wholly proved; not checked: {names}.",
            "newer": "This record is newer than this program, which does not know {names}.",
        },
        "es": {
            "seat": "Asiento {number}",
            "created": "Se abre la mesa: {title} {version}, {seats:asiento|asientos}",
            "seated": "{seat} lo ocupa {holder}",
            "bot": "el bot {name}",
            "player": "un jugador",
            "program": "el programa[ {name}]",
            "left": "{seat} queda libre",
            "closed": "Todos los asientos están ocupados; falta la entropía o un faro",
            "entropy_revealed": "{seat} revela su entropía",
            "started": "Empieza la partida",
            "beacon_drawn": "Ya está la ronda del faro",
            "started_without": "Empieza la partida sin lo que falta: la entropía, o el faro",
            "moved": "{seat}: {move}",
            "defaulted": "{seat}, por defecto[ ({why:why})]: {move}",
            "why.resigned": "ha abandonado",
            "why.timed_out": "sin tiempo",
            "why.bot_failed": "falló el bot",
            "secret": "{seat} juega en secreto",
            "resigned": "{seat} abandona",
            "hinted": "{seat} pide una pista",
            "key_changed": "{seat} tiene otra clave, que la anterior firmó",
            "key_changed.service": (
                "{seat} tiene otra clave; desde aquí solo el servicio dice quién es"
            ),
            "undone": "{seat} retira jugadas: todo vuelve a como estaba tras el evento {to}",
            "timed_out": "A {seat} se le acaba el tiempo",
            "timed_out.service": "A {seat} se le acaba el tiempo porque el servicio no respondía",
            "bot_failed": "Falla el bot de {seat}",
            "chanced": "El azar decide algo que no se ve",
            "aborted": "La partida se cancela[: {why}]",
            "aborted.cancelled": "la ha cancelado quien la convocó",
            "aborted.not_started": "no ha empezado a tiempo",
            "aborted.entropy_withheld": "alguien no ha revelado su entropía",
            "aborted.beacon_withheld": "el faro llegó tarde",
            "aborted.tournament_cancelled": "se canceló su torneo",
            "aborted.block_abandoned": "su bloque se juega de nuevo, porque falló un bot sin culpa"
            " suya o se dañó otra partida",
            "aborted.damaged": "su registro está dañado",
            "aborted.ended_by_operator": "la ha terminado quien lleva el servicio",
            "suspended": "Quien lleva el servicio suspende la partida; el tiempo se detiene",
            "resumed": "La partida continúa",
            "interrupted": "El servicio no respondió en {seconds} s; los relojes se detuvieron",
            "ended": "Termina la partida: {reason}",
            "standing": "{rank}. {side}: {score}[ ({parts})][; {notes}]",
            "chance_revealed": "Se revela la semilla del azar",
            "free": "libre",
            "status.lobby": "espera a jugadores",
            "status.closed": "espera la entropía",
            "status.running": "sigue",
            "status.ended": "ha terminado",
            "status.aborted": "fue cancelada",
            "status.suspended": "está detenida",
            "head.game": "juego",
            "head.status": "estado",
            "head.at": "abierta (UTC)",
            "head.players": "jugadores",
            "exported": "{file}: {events:suceso|sucesos}, {status:exported}.",
            "exported.lobby": "en espera",
            "exported.closed": "a la espera de la entropía",
            "exported.running": "en curso",
            "exported.ended": "terminada",
            "exported.aborted": "cancelada",
            "exported.suspended": "detenida",
            "no_games": "No hay ninguna partida así.",
            "more_games": "Estas son las {limit} más recientes: --limit muestra más.",
            "service_refuses": "El servicio rechaza[ {asked}]: {why}",
            "service_silent": "El servicio[ en {url}] no responde: {why}",
            "record_changed": "El registro ha cambiado desde que se cortó la conexión: otra vez.",
            "left_watching": "Has dejado de mirar; `lonja watch {game} --url {url}` vuelve.",
            "not_started": "La partida no ha empezado.",
            "proved": "Este registro está probado.",
            "failed": "Este registro NO es lo que dice ser: falla {names} (`lonja verify`).",
            "not_wholly_proved": "Este registro no está probado del todo; sin comprobar: {names}.",
            "newer": "Este registro es más nuevo que este programa, que no conoce {names}.",
        },
    }
)


def word(language: str, key: str, **data: object) -> str:
    """Return a sentence about tables and games in general; rulesets have no words for these."""
    return _WORDS.text(key, language, **data)


def seat_text(ruleset: Ruleset[Any], seat: Seat, language: str) -> str:
    """Return a seat's colour, or its number, counted from 1, in a game without colours."""
    colour = ruleset.labels.tables[language].get(f"seat.{seat}")
    return colour or word(language, "seat", number=seat + 1)


def holder_text(seat: Mapping[str, Any], language: str) -> str:
    """Return in words who holds a seat: the name of a player or bot, or the word for a free seat.

    ``seat`` has the form in which the API sends a seat.
    """
    match seat["holder"]:
        case "bot":
            return word(language, "bot", name=called(seat["bot"]))
        case "player" if seat.get("kind") == BOT:
            return word(language, "program", name=seat.get("name"))
        case "player":
            return seat.get("name") or word(language, "player")
    return word(language, "free")


def move_text(
    ruleset: Ruleset[Any], move: Move[Any], language: str, state: object, seat: Seat
) -> str:
    """Return a move of ``seat`` in words.

    If ``state`` is not None, the words also have details of the state, such as a price.
    """
    key, data = move.label() if state is None else move.label_in(state, seat)
    return ruleset.labels.text(key, language, **data)


def decision_text(ruleset: Ruleset[Any], name: str, language: str) -> str:
    """Return a decision in words."""
    return ruleset.labels.tables[language].get(f"decision.{name}", name)


def effect_text(ruleset: Ruleset[Any], effect: Effect, language: str) -> str:
    """Return an effect in words; an empty text if the game has no words for this effect."""
    if f"effect.{effect.type}" not in ruleset.labels.tables[language]:
        return ""
    return ruleset.labels.text(f"effect.{effect.type}", language, **effect.data)


def reason_text(ruleset: Ruleset[Any], result: JsonObject, language: str) -> str:
    """Return in words why a game ended."""
    words = ruleset.labels.tables[language]
    return word(language, "ended", reason=words.get(f"reason.{result['reason']}", result["reason"]))


def result_lines(
    ruleset: Ruleset[Any],
    result: JsonObject,
    language: str,
    resigned: Collection[Seat] | None = None,
) -> list[str]:
    """Return the reason of a game's end, and its standings; ``resigned`` is None if unknown."""
    told = told_standings(ruleset, result, language, resigned)
    return [
        reason_text(ruleset, result, language),
        *(f"  {_standing_text(ruleset, standing, language)}" for standing in told),
    ]


def _standing_text(ruleset: Ruleset[Any], standing: StandingInWords, language: str) -> str:
    return word(
        language, "standing", rank=standing.rank, score=standing.score,
        side=_side_text(ruleset, standing.side, language), notes="; ".join(standing.notes),
        parts=", ".join(f"{part.label}: {part.value}" for part in standing.makeup),
    )  # fmt: skip


def _side_text(ruleset: Ruleset[Any], side: str, language: str) -> str:
    kind, _, name = side.partition(":")
    if kind == "seat":
        return seat_text(ruleset, Seat(int(name)), language)
    return ruleset.labels.tables[language].get(f"side.{name}", side)


class Teller:
    """Folds a game event by event, and describes each event as ``viewer`` sees it.

    The viewer is a seat, or None for a spectator. If ``everything`` is true, nothing is hidden.
    After an event that lacks data for folding, ``blind`` is set, and only headers and public parts
    have words.
    """

    def __init__(
        self,
        game_id: str,
        registry: Registry,
        language: str,
        viewer: Seat | None = None,
        *,
        everything: bool = False,
    ) -> None:
        self.game = Game(game_id, registry)
        self.blind = False
        self._language = language
        self._viewer = viewer
        self._everything = everything

    def tell(self, event: Event) -> list[str]:
        """Fold the next event and return its lines. The lines of its effects are indented."""
        self.blind = self.blind or not _can_fold(event)
        move = self._seen_move(event)
        # A move is described from the state before it.
        headline = None if move is None else self._move_line(event, move)
        log = EffectLog()
        if not self.blind:
            self.game.apply(event, log)
        texts = self._effect_texts(log, () if move is None else move.says)
        if headline is not None:
            return [headline] + [f"  {text}" for text in texts]
        if event.kind in _TOLD_BY_EFFECTS and log.effects and (texts or self._sees_all(log)):
            return texts
        resigned = None if self.blind else self.game.resigned
        own = event_lines(self.game.ruleset, event, self._language, resigned=resigned)
        return own + [f"  {text}" for text in texts]

    def board(self) -> str:
        """Return the board as text, 80 columns wide; empty before the start."""
        if self.game.state is None:
            return ""
        ruleset = self.game.ruleset
        view = ruleset.view(self.game.state, self._viewer)
        return plain(ruleset.draw(view, self._language, _COLUMNS))

    def _sees(self, audience: str) -> bool:
        return self._everything or can_see(self._viewer, audience)

    def _sees_all(self, log: EffectLog) -> bool:
        return all(self._sees(effect.audience) for effect in log.effects)

    def _seat(self, seat: Seat) -> str:
        return seat_text(self.game.ruleset, seat, self._language)

    def _seen_move(self, event: Event) -> Move[Any] | None:
        part = event.body.get("move")
        if part is None or not self._sees(part.audience):
            return None
        return self.game.ruleset.recorded_move(part.value)

    def _move_line(self, event: Event, move: Move[Any]) -> str:
        language, seat = self._language, event.by["seat"]
        state = None if self.blind else self.game.state
        why = event.by.get("service")
        return word(
            language,
            event.kind,
            seat=self._seat(seat),
            move=move_text(self.game.ruleset, move, language, state, seat),
            why=why if f"why.{why}" in _WORDS.tables[language] else None,
        )

    def _effect_texts(self, log: EffectLog, said: Sequence[str]) -> list[str]:
        """Return the effects that the viewer sees, without those in the headline or result."""
        ruleset = self.game.ruleset
        left = [*said]
        texts = []
        for effect in log.effects:
            if effect.type in left:
                left.remove(effect.type)
            elif effect.type not in ruleset.result_effects and self._sees(effect.audience):
                texts.append(effect_text(ruleset, effect, self._language))
        return [text for text in texts if text]


def _sitting(holder: JsonObject, language: str, who: Callable[[str], str]) -> str:
    """Return in words who sits down; ``who`` returns a player's name."""
    if "bot" in holder:
        return word(language, "bot", name=called(holder["bot"]))
    return who(holder["player"]) or word(language, "player")


def event_lines(
    ruleset: Ruleset[Any],
    event: Event,
    language: str,
    who: Callable[[str], str] = lambda _player: "",
    resigned: Collection[Seat] | None = None,
) -> list[str]:
    """Return the line for an event itself, without its effects.

    ``who`` returns a player's name, empty if unknown; ``resigned`` is the argument of
    ``result_lines``.
    """

    def seat_of(seat: Seat) -> str:
        return seat_text(ruleset, seat, language)

    value = {name: part.value for name, part in event.body.items()}
    match event.kind:
        case "created":
            game = value["game"]
            title, version = ruleset.info.title[language], game["rules_version"]
            told = word(language, event.kind, title=title, version=version, seats=game["seats"])
        case "seated":
            holder = _sitting(value["seat"]["holder"], language, who)
            seat = seat_of(value["seat"]["seat"])
            told = word(language, event.kind, seat=seat, holder=holder)
        case "moved" | "defaulted":
            told = word(language, "secret", seat=seat_of(event.by["seat"]))
        case "resigned" | "undone" | "hinted":
            seat, more = seat_of(event.by["seat"]), value.get("undo", {})
            told = word(language, event.kind, seat=seat, **more)
        case "left" | "entropy_revealed" | "key_changed" | "timed_out" | "bot_failed":
            part = value[_PARTS[event.kind]]
            service = part.get("fault") == SERVICE_FAULT or part.get("sig", "") is None
            key = f"{event.kind}.service" if service else event.kind
            told = word(language, key, seat=seat_of(part["seat"]))
        case "interrupted":
            away = value["interruption"]
            seconds = round((to_ms(away["to"]) - to_ms(away["from"])) / 1000)
            told = word(language, event.kind, seconds=seconds)
        case "started" if event.by == CLOCK:
            told = word(language, "started_without")
        case "aborted":
            reason = value["aborted"]["reason"]
            if reason == CANCELLED and "service" in event.by:
                reason = "not_started"
            why = _WORDS.tables[language].get(f"aborted.{reason}")
            told = word(language, event.kind, why=why)
        case "ended":
            return result_lines(ruleset, value["result"], language, resigned)
        case _:
            told = _WORDS.tables[language].get(event.kind, event.kind)
    return [told]


_PARTS = {
    "left": "seat",
    "entropy_revealed": "entropy",
    "key_changed": "key",
    "timed_out": "time_out",
    "bot_failed": "failure",
}
"""The part of an event that names its seat, where this is not "seat"."""
_TOLD_BY_EFFECTS = ("moved", "defaulted", "chanced")
"""Kinds of events with effects: if the viewer sees any of them, a hidden event needs no line."""


def _can_fold(event: Event) -> bool:
    needed = {"moved": "move", "defaulted": "move", "chanced": "picks"}.get(event.kind)
    return needed is None or needed in event.body
