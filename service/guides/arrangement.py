"""The pages of the site of guides, in the four purposes of Diátaxis."""

from pathlib import Path
from typing import NamedTuple

from rules.kernel.contract.labels import LANGUAGES

_BESIDE = Path(__file__).parents[2]
ROOT = next(each for each in (_BESIDE / "lonja_docs", _BESIDE) if (each / "docs").is_dir())
"""The folder that the paths of guides are relative to, in an installation or in a checkout."""
ASSETS = frozenset((".svg", ".png", ".json"))
"""Suffixes of files below ``docs`` that pages show or link to."""


class Guide(NamedTuple):
    """A page: its address below ``/docs/``, its file, and its use in one sentence."""

    slug: str
    path: str
    summary: str


class Purpose(NamedTuple):
    """A purpose for which people read guides: its name in each language, and its guides."""

    id: str
    names: dict[str, str]
    guides: tuple[Guide, ...]


def _purpose(id_: str, en: str, es: str, *guides: Guide) -> Purpose:
    return Purpose(id_, dict(zip(LANGUAGES, (en, es), strict=True)), guides)


def _docs(name: str, summary: str) -> Guide:
    return Guide(name, f"docs/{name}.md", summary)


PURPOSES = (
    _purpose(
        "tutorials", "Tutorials", "Tutoriales",
        Guide("readme", "README.md", "What Lonja is, in a minute."),
        _docs("tour", "A game over HTTP, in five minutes."),
        _docs("api", "Begin with the API: a player, a key, a first request."),
        _docs("api/play", "Play a turn, with curl and in Python."),
        _docs("first_bot", "Your first bot: from nothing to a match."),
        _docs("games", "Write a game of your own, step by step."),
    ),
    _purpose(
        "how-to", "How-to guides", "Guías prácticas",
        _docs("terminal", "Play and work in a terminal."),
        _docs("proving", "Who can prove what to whom."),
        _docs("api/follow", "Show a game while it goes on."),
        _docs("api/webhooks", "Get notices of your games at a URL."),
        _docs("api/host", "Open tables, invite, play again."),
        _docs("api/board", "Draw any game from data."),
        _docs("api/embed", "Show a live game in your page by one tag."),
        _docs("api/client", "Write a bot with the client in Python."),
        _docs("api/verify", "Prove what was played."),
        _docs("bot_cup", "Hold a cup for strangers' bots, from nothing."),
        _docs("tournaments", "Hold tournaments between bots."),
        _docs("engines", "Have a program of your own play as a bot."),
        _docs("learning", "Train a learner on the games."),
        _docs("operations", "Run a service: stores, back-ups, alerts."),
        Guide("deploy", "deploy/README.md", "Put it behind a proxy, on one host or several."),
    ),
    _purpose(
        "reference", "Reference", "Referencia",
        _docs("api/table", "What a service gives so that others show and play its games."),
        _docs("api/requests", "Retries, lists, caching, limits, languages."),
        _docs("problems", "Every error, with its remedy."),
        _docs("events", "Every kind of event, and every message of streams and webhooks."),
        _docs("commands", "Every command of lonja, with its options and exit codes."),
        _docs("settings", "Every variable of a service, by subject."),
        _docs("metrics", "Every metric for Prometheus, with its labels."),
        _docs("limits", "How much of what, and what a failure can lose."),
        _docs("numbers", "How fast all of it is."),
        _docs("format", "Events, records and proofs, to the byte."),
        _docs("laws", "What every ruleset keeps."),
        _docs("glossary", "One word for one thing."),
        Guide("changes", "CHANGELOG.md", "What each release changed."),
    ),
    _purpose(
        "explanation", "Explanation", "Explicación",
        _docs("architecture", "How a move travels, and what is kept where."),
        _docs("bots", "How bots think, and how strong they are."),
        _docs("privacy", "What is stored about a person."),
        _docs("api/lichess", "How this differs from lichess."),
        Guide("security", "SECURITY.md", "How to report a hole."),
        Guide("contributing", "CONTRIBUTING.md", "How to work on Lonja itself."),
    ),
)  # fmt: skip
GUIDES = {guide.slug: guide for purpose in PURPOSES for guide in purpose.guides}
BY_PATH = {guide.path: guide.slug for guide in GUIDES.values()}
