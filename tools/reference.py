"""Makes parts of the reference from the code, as Markdown: settings, metrics, events, commands."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import click
from prometheus_client.metrics import MetricWrapperBase
from prometheus_client.metrics_core import CounterMetricFamily

from rules.kernel.proof.causers import SERVICES
from rules.kernel.proof.shape import Fields
from rules.kernel.proof.shapes import GAME_KINDS
from service import metrics
from service import settings as declared
from service.api.schemas.base import AnswerSchema
from service.api.schemas.streams import NOTICES, STREAMED, WEBHOOKS
from service.cli import main as lonja
from service.tournaments.record.shapes import TOURNAMENT_KINDS
from service.upkeep import gauges

GAME_EVENTS = {
    "created": "The table is opened; the event has rules, seats and the commitment to luck.",
    "seated": "A seat is taken.",
    "left": "The holder of a seat leaves it before the game starts.",
    "closed": "All seats are held, and entropy or a beacon is awaited.",
    "entropy_revealed": "A seat reveals the entropy to which it committed.",
    "beacon_drawn": "The round of a public beacon is there, and goes into the luck.",
    "started": "The game starts.",
    "moved": "A seat moves.",
    "defaulted": "The rules move for a seat that resigned or was too late, or whose bot failed.",
    "chanced": "A draw is made.",
    "timed_out": "The time for a decision is over.",
    "bot_failed": "A bot fails to make a valid move.",
    "resigned": "A seat resigns, and will rank last.",
    "undone": "A seat takes back its newest moves.",
    "hinted": "A seat asks for a hint; what the hint says is not in the record.",
    "key_changed": "A player binds another key to a seat, which signs its moves from now on.",
    "suspended": "An operator stops the game and its clocks.",
    "resumed": "A suspended game goes on.",
    "interrupted": "The service was away, and the clocks stood still.",
    "aborted": "The game is over without a result.",
    "ended": "The game is over, with its result.",
    "chance_revealed": "The chance seed is revealed, so that everybody can check the draws.",
}
"""The meaning of each kind of event of a game."""
TOURNAMENT_EVENTS = {
    "created": "The host creates the tournament, with its plan and the commitment to its luck.",
    "entropy_revealed": "The host reveals the entropy to which an entry committed.",
    "entered": "An owner enters a bot account, which has played its validation game.",
    "entries_closed": "The host takes no more entries of owners.",
    "available": "Players of an endless tournament are present and have room for a block.",
    "started": "The entries are fixed, and play begins.",
    "code_declared": "Play continues with other code; the event has the digests of rules and bots.",
    "paired": "A round is paired.",
    "block_ended": "The games of a block are over, with their results.",
    "block_abandoned": "A block is played again, because of the service.",
    "disqualified": "An entry is disqualified, because its bot failed too often.",
    "withdrawn": "The host, or the owner of a bot account, withdraws an entry.",
    "paused": "The tournament is paused: no new block begins.",
    "resumed": "Play goes on after a pause.",
    "extended": "The host adds games.",
    "ended": "The tournament is over; the event reveals the chance seed.",
    "cancelled": "The host ends the tournament early.",
}
"""The meaning of each kind of event of a tournament."""
_CAUSERS: Mapping[str, Mapping[str, Any]] = {
    **{name: {name: name} for name in ("player", "tournament", "admin")},
    "seat": {"seat": 0},
    **{f"service `{reason}`": {"service": reason} for reason in sorted(SERVICES)},
    **{
        f"seat and service `{reason}`": {"seat": 0, "service": reason}
        for reason in sorted(SERVICES)
    },
}
"""An example of each causer, by its name in the tables."""
_BAR = "\\|"
"""A bar within a cell of a table, which has to be escaped."""
_OF_ANY = ("code", "opens")
"""Parts that an event of any kind may have."""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table."""
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def names(words: Iterable[str]) -> str:
    """Return words as code, separated by commas."""
    return ", ".join(f"`{word}`" for word in words)


def _sections(found: Mapping[str, str]) -> str:
    return "\n".join(f"## {title}\n\n{text}" for title, text in found.items())


# Settings


def settings() -> str:
    """Return a section with a table for each group of settings."""
    variables = {row.field: row for row in declared.describe()}
    return _sections(
        {
            title: table(
                ("variable", "default", "purpose", "takes"),
                [
                    (
                        f"`{row.name}`",
                        f"`{row.default}`" if row.default else "",
                        row.purpose,
                        row.kind.expects,
                    )
                    for row in map(variables.__getitem__, fields)
                ],
            )
            for title, fields in declared.GROUPS.items()
        }
    )


# Metrics

_METRIC = ("metric", "type", "labels", "means")


def process_metrics() -> str:
    """Return a table of the metrics that each process counts, in the order of their module."""
    own = [found for found in vars(metrics).values() if isinstance(found, MetricWrapperBase)]
    return table(
        _METRIC,
        [_metric(one._name, str(one._type), one._labelnames, one._documentation) for one in own],
    )


def survey_metrics() -> str:
    """Return a table of the metrics of the store, which a web process reads when it is scraped."""
    return table(
        _METRIC,
        [
            _metric(
                one.name,
                "counter" if one.type is CounterMetricFamily else "gauge",
                () if one.label is None else (one.label,),
                one.help,
            )
            for one in gauges.FAMILIES
        ],
    )


def _metric(name: str, kind: str, labels: Iterable[str], means: str) -> tuple[str, ...]:
    return f"`{name}{'_total' * (kind == 'counter')}`", kind, names(labels), means


# Events


def game_events() -> str:
    """Return a table of the kinds of events of a game."""
    return _events(
        GAME_EVENTS,
        {
            kind: (known.by, {name: part.value for name, part in known.parts.items()}, known.needed)
            for kind, known in GAME_KINDS.items()
        },
    )


def tournament_events() -> str:
    """Return a table of the kinds of events of a tournament."""
    return _events(
        TOURNAMENT_EVENTS,
        {
            kind: (known.by, {**known.parts, **known.may}, frozenset(known.parts))
            for kind, known in TOURNAMENT_KINDS.items()
        },
    )


def _events(meanings: Mapping[str, str], kinds: Mapping[str, tuple[Any, Any, Any]]) -> str:
    return table(
        ("kind", "means", "by", "parts"),
        [
            (
                f"`{kind}`",
                meanings[kind],
                ", ".join(words for words, value in _CAUSERS.items() if by.fits(value, 2)),
                "; ".join(
                    _part(name, shape, is_needed=name in needed)
                    for name, shape in parts.items()
                    if name not in _OF_ANY
                ),
            )
            for kind, (by, parts, needed) in kinds.items()
        ],
    )


def _part(name: str, shape: object, *, is_needed: bool) -> str:
    fields = f" {{{', '.join(shape.known)}}}" if isinstance(shape, Fields) else ""
    return f"`{name}`{fields}" + ("" if is_needed else ", not always")


def stream_messages() -> str:
    """Return a table of the messages on the stream of a game or tournament."""
    return _messages("event", STREAMED)


def notice_messages() -> str:
    """Return a table of the messages on a player's stream."""
    return _messages("event", NOTICES)


def webhook_messages() -> str:
    """Return a table of the messages to webhooks."""
    return _messages("type", WEBHOOKS)


def _messages(field: str, messages: Mapping[str, type[AnswerSchema]]) -> str:
    return table(
        (field, "means", "`data` has"),
        [
            (
                f"`{kind}`",
                " ".join((schema.__doc__ or "").split()),
                names(schema().fields["data"].schema.fields),  # type: ignore[attr-defined]
            )
            for kind, schema in messages.items()
        ],
    )


# Commands


def commands() -> str:
    """Return a section for each command of ``lonja``, with its usage, help and options."""
    context = click.Context(lonja, info_name="lonja")
    return "\n".join(_command(lonja, context, 2))


def _command(command: click.Command, context: click.Context, level: int) -> Iterator[str]:
    """Yield the sections of a command and of its subcommands."""
    if isinstance(command, click.Group):
        if context.parent is not None:
            yield _section(command, context, level)
            level += 1
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                yield from _command(below, click.Context(below, context, info_name=name), level)
    else:
        yield _section(command, context, level)


def _section(command: click.Command, context: click.Context, level: int) -> str:
    path = context.command_path
    usage = " ".join((path, *command.collect_usage_pieces(context)))
    paragraphs = [" ".join(each.split()) for each in (command.help or "").split("\n\n")]
    text = "\n\n".join(map(_escaped, paragraphs))
    options = [
        (f"`{spelt.replace('|', _BAR)}`", _escaped(" ".join(told.split())))
        for parameter in command.get_params(context)
        if isinstance(parameter, click.Option) and "--help" not in parameter.opts
        for spelt, told in filter(None, [parameter.get_help_record(context)])
    ]
    shown = f"\n{table(('option', 'does'), options)}" if options else ""
    return f"{'#' * level} `{path}`\n\n`{usage}`\n\n{text}\n{shown}"


def _escaped(text: str) -> str:
    """Return a text of the command line as Markdown in which every character is shown as it is."""
    return text.replace("|", _BAR).replace("<", "\\<").replace("*", "\\*").replace("\b", "")
