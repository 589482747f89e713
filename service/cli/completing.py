"""Completions of arguments and options in a shell, by what is installed here.

A completion never fails: without usable settings there is simply nothing to complete.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module

import click
from click.shell_completion import CompletionItem

from service.catalogue.bots import installed
from service.cli import common
from service.cli.terminal import saves

Items = list[CompletionItem[str]]
Complete = Callable[[click.Context, click.Parameter, str], Items]


def _completing(find: Callable[[click.Context], Iterable[tuple[str, str]]]) -> Complete:
    """Return a function that completes the words that ``find`` yields, and describes them."""

    def complete(context: click.Context, _parameter: click.Parameter, begun: str) -> Items:
        with suppress(click.ClickException):
            return [
                CompletionItem(word, help=about)
                for word, about in find(context)
                if word.startswith(begun)
            ]
        return []

    return complete


def _rulesets(context: click.Context) -> Iterable[tuple[str, str]]:
    language = context.params.get("language") or common.preferred_language()
    return [(one.info.id, one.info.title[language]) for one in common.load_registry()]


def _bots(_context: click.Context) -> Iterable[tuple[str, str]]:
    offers = installed(common.load_settings())
    return [(name, f"version {offer.version}") for name, offer in offers.items()]


def _rules_options(context: click.Context) -> Iterable[tuple[str, str]]:
    rules = common.find_ruleset(common.load_registry(), context.params.get("ruleset") or "")
    return [(f"{option.name}=", "") for option in rules.info.options]


rulesets = _completing(_rulesets)
bots = _completing(_bots)
rules_options = _completing(_rules_options)


def _saved_games(_context: click.Context) -> Iterable[tuple[str, str]]:
    return [(save.name, "") for save in saves.listed(common.games_folder())]


def _laws(_context: click.Context) -> Iterable[tuple[str, str]]:
    book = import_module("laws.book")  # only one command needs the laws
    return [(law.name, law.says) for law in book.LAWS.values()]


laws = _completing(_laws)
saved_games = _completing(_saved_games)


def files(_context: click.Context, _parameter: click.Parameter, begun: str) -> Items:
    """Complete the names of files, for an argument that is a file or an id."""
    return [CompletionItem(begun, type="file")]
