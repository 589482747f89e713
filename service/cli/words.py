"""Tells a game in words: events, moves and effects as sentences, in Spanish and English."""

from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.effects import Effect, EffectLog, can_see
from rules.kernel.events import Event
from rules.kernel.game import Game
from rules.kernel.move import Move
from rules.kernel.ruleset import Ruleset
from rules.registry import Registry

_WORDS = {
    "en": {
        "seat": "Seat {0}",
        "created": "The table is opened: {0} {1}, {2} seats",
        "seated": "{0} is taken by {1}",
        "left": "{0} is free again",
        "closed": "All seats are held; the entropy is to be opened",
        "entropy_revealed": "{0} opens its entropy",
        "started": "The game starts",
        "moved": "{0}: {1}",
        "secret": "{0} moves in secret",
        "resigned": "{0} resigns",
        "timed_out": "The time of {0} is up",
        "bot_failed": "The bot of {0} failed",
        "defaulted": "{0}, by default ({2}): {1}",
        "chanced": "Nature draws {0}",
        "aborted": "The game is aborted: {0}",
        "ended": "The game ends: {0}",
        "standing": "{0}. {1}: {2} points ({3})",
        "chance_revealed": "The chance seed is opened",
        "player": "a player",
    },
    "es": {
        "seat": "Asiento {0}",
        "created": "Se abre la mesa: {0} {1}, {2} asientos",
        "seated": "{0} lo ocupa {1}",
        "left": "{0} queda libre",
        "closed": "Todos los asientos están ocupados; falta revelar la entropía",
        "entropy_revealed": "{0} revela su entropía",
        "started": "Empieza la partida",
        "moved": "{0}: {1}",
        "secret": "{0} juega en secreto",
        "resigned": "{0} abandona",
        "timed_out": "A {0} se le acaba el tiempo",
        "bot_failed": "Falla el bot de {0}",
        "defaulted": "{0}, por defecto ({2}): {1}",
        "chanced": "El azar decide {0}",
        "aborted": "La partida se cancela: {0}",
        "ended": "Termina la partida: {0}",
        "standing": "{0}. {1}: {2} puntos ({3})",
        "chance_revealed": "Se revela la semilla del azar",
        "player": "un jugador",
    },
}


def word(language: str, key: str, *values: object) -> str:
    """Return a sentence about tables and games, which no ruleset has words for."""
    return _WORDS[language][key].format(*values)


def seat_text(ruleset: Ruleset[Any], seat: int, language: str) -> str:
    """Name a seat: its number, and its colour if the game has colours."""
    name = word(language, "seat", seat)
    colour = ruleset.labels.tables[language].get(f"seat.{seat}")
    return f"{name} ({colour})" if colour else name


def move_text(ruleset: Ruleset[Any], move: Move[Any], language: str) -> str:
    """Say what a move does."""
    key, data = move.label()
    return ruleset.labels.text(key, language, **data)


def decision_text(ruleset: Ruleset[Any], name: str, language: str) -> str:
    """Say what a seat is asked to do."""
    return ruleset.labels.tables[language].get(f"decision.{name}", name)


def effect_text(ruleset: Ruleset[Any], effect: Effect, language: str) -> str:
    """Say what a move or a draw did; empty for what a game has no words for."""
    if f"effect.{effect.type}" not in ruleset.labels.tables[language]:
        return ""
    return ruleset.labels.text(f"effect.{effect.type}", language, **effect.data)


def result_lines(ruleset: Ruleset[Any], result: JsonObject, language: str) -> list[str]:
    """Tell why a game ended and how the sides stand."""
    words = ruleset.labels.tables[language]
    reason = words.get(f"reason.{result['reason']}", result["reason"])
    lines = [word(language, "ended", reason)]
    for standing in sorted(result["standings"], key=lambda standing: int(standing["rank"])):
        kind, _, name = standing["side"].partition(":")
        side = seat_text(ruleset, int(name), language) if kind == "seat" else standing["side"]
        details = ", ".join(
            f"{words.get(f'breakdown.{key}', key)}: {value}"
            for key, value in standing["breakdown"].items()
        )
        lines.append(
            "  " + word(language, "standing", standing["rank"], side, standing["score"], details)
        )
    return lines


class Teller:
    """Folds a game event by event and tells each as ``viewer`` (None: a spectator) sees it.

    With ``everything``, nothing is hidden. Once an event lacks what folding needs, ``blind`` is
    set, and only headers and public parts are told.
    """

    def __init__(
        self,
        game_id: str,
        registry: Registry,
        language: str,
        viewer: int | None = None,
        *,
        everything: bool = False,
    ) -> None:
        self.game = Game(game_id, registry)
        self.blind = False
        self._language = language
        self._viewer = viewer
        self._everything = everything

    def tell(self, event: Event) -> list[str]:
        """Fold the next event and return its lines, those of its effects indented."""
        log = EffectLog()
        self.blind = self.blind or not _can_fold(event)
        if not self.blind:
            self.game.apply(event, log)
        texts = [
            text
            for effect in log.effects
            if self._sees(effect.audience)
            and (text := effect_text(self.game.ruleset, effect, self._language))
        ]
        if event.kind == "chanced" and texts:
            return texts
        return self._headline(event) + [f"  {text}" for text in texts]

    def board(self) -> str:
        """Draw the board as it is now; empty before the start."""
        if self.game.state is None:
            return ""
        ruleset = self.game.ruleset
        return ruleset.draw_board(ruleset.view(self.game.state, self._viewer), self._language)

    def _sees(self, audience: str) -> bool:
        return self._everything or can_see(self._viewer, audience)

    def _seat(self, seat: int) -> str:
        return seat_text(self.game.ruleset, seat, self._language)

    def _headline(self, event: Event) -> list[str]:
        language, ruleset = self._language, self.game.ruleset
        value = {name: part.value for name, part in event.body.items()}
        match event.kind:
            case "created":
                title = ruleset.info.title[language]
                version = value["game"]["rules_version"]
                return [word(language, "created", title, version, value["game"]["seats"])]
            case "seated":
                holder = value["seat"]["holder"]
                name = holder.get("bot") or word(language, "player")
                return [word(language, "seated", self._seat(value["seat"]["seat"]), name)]
            case "left":
                return [word(language, "left", self._seat(value["seat"]["seat"]))]
            case "entropy_revealed":
                return [word(language, event.kind, self._seat(value["entropy"]["seat"]))]
            case "moved" | "defaulted":
                return [self._move_line(event)]
            case "resigned":
                return [word(language, "resigned", self._seat(event.by["seat"]))]
            case "timed_out":
                return [word(language, event.kind, self._seat(value["time_out"]["seat"]))]
            case "bot_failed":
                return [word(language, event.kind, self._seat(value["failure"]["seat"]))]
            case "chanced":
                return [word(language, "chanced", f"{value['draw']['label']} {value['draw']['n']}")]
            case "aborted":
                return [word(language, "aborted", value["aborted"]["reason"])]
            case "ended":
                return result_lines(ruleset, value["result"], language)
            case _:
                return [_WORDS[language].get(event.kind, event.kind)]

    def _move_line(self, event: Event) -> str:
        seat = self._seat(event.by["seat"])
        part = event.body.get("move")
        if part is None or not self._sees(part.audience):
            return word(self._language, "secret", seat)
        move = self.game.ruleset.recorded_move(part.value)
        text = move_text(self.game.ruleset, move, self._language)
        return word(self._language, event.kind, seat, text, event.by.get("service", ""))


def _can_fold(event: Event) -> bool:
    needed = {"moved": "move", "defaulted": "move", "chanced": "picks"}.get(event.kind)
    return needed is None or needed in event.body
