"""What an engine's hello may say of itself (docs/engines.md)."""

from collections.abc import Callable, Collection

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import shown
from rules.kernel.contract.registry import Registry
from service.games.questions import INCLUDED

LONGEST_NAME = 40


def fault(hello: JsonObject, registry: Registry) -> str | None:
    """Return a sentence for the first member of a hello that is not well formed, or None."""
    games = {ruleset.info.id: ruleset.info for ruleset in registry}
    seats = {n for info in games.values() for n in range(info.min_seats, info.max_seats + 1)}
    name = (_is_name, f"a text of 1 to {LONGEST_NAME} characters")
    text = (lambda said: isinstance(said, str), "a text")
    forms: dict[str, tuple[Callable[[object], bool], str]] = {
        "name": name,
        "version": name,
        "deterministic": (lambda said: type(said) is bool, "true or false"),
        "wants": _list_of(INCLUDED),
        "rulesets": _list_of(games),
        "seats": _list_of(seats),
        "author": text,
        "page": text,
        "concurrency": (lambda said: type(said) is int and said > 0, "a number from 1 on"),
    }
    for member, (fits, form) in forms.items():
        if member in hello and not fits(hello[member]):
            return f"Its hello has {member} {shown(hello[member])}, which is not {form}."
    return None


def _is_name(said: object) -> bool:
    return isinstance(said, str) and 1 <= len(said) <= LONGEST_NAME


def _list_of(known: Collection[object]) -> tuple[Callable[[object], bool], str]:
    """Return a test for lists of what is known, and a description of these lists."""

    def fits(said: object) -> bool:
        return isinstance(said, list) and all(
            type(each) in (str, int) and each in known for each in said
        )

    return fits, f"a list of some of {', '.join(map(str, known))}"
