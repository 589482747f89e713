"""A view drawn for the terminal, at most 100 columns wide."""

from rules.kernel.canonical import JsonObject
from rules.kernel.labels import Labels


def draw(view: JsonObject, labels: Labels, language: str) -> str:
    return labels.text("board.voyage", language, number=view["voyage"])
