"""Finds where the site explains an operation, a problem, a setting, a metric or a command."""

import re

from service.guides.markdown import anchor_of
from service.guides.reference.document import ApiReference
from service.problems import CODES

PROBLEMS = "problems"
"""The slug of the list of problems; the pages of single problems are below it."""
_OPERATION = re.compile(r"(GET|POST|PUT|PATCH|DELETE) (/[^\s?…]*)(\?\S*)?")
_PARAMETER = re.compile(r"{\w+}")
_SETTING = re.compile(r"(LONJA_[A-Z_]+|REDIS_URL)(=\S*)?")
_METRIC = re.compile(r"lonja_[a-z_]+")
_COMMAND = re.compile(r"lonja((?: [a-z]+)+)")


def problem_slug(code: str) -> str:
    """Return the slug of the page of a problem."""
    return f"{PROBLEMS}/{code}"


class Names:
    """Finds the page that explains a name; ``anchors`` has the anchors of each guide, by slug."""

    def __init__(self, reference: ApiReference, anchors: dict[str, frozenset[str]]) -> None:
        self._reference = reference
        self._operations = {
            (method, _PARAMETER.sub("{}", path)): operation
            for (method, path), operation in reference.by_request.items()
        }
        self._anchors = anchors

    def place_of(self, text: str) -> tuple[str, str] | None:
        """Return the slug and the anchor where a name is explained; None for any other text."""
        if text in CODES:
            return problem_slug(text), ""
        if found := _OPERATION.fullmatch(text):
            key = found[1], _PARAMETER.sub("{}", found[2])
            return (self._operations[key].slug, "") if key in self._operations else None
        if found := _SETTING.fullmatch(text):
            return self._known("settings", anchor_of(found[1]))
        if _METRIC.fullmatch(text):
            return self._known("metrics", text)
        if found := _COMMAND.fullmatch(text):
            return self._command(found[1].split())
        return None

    def _command(self, words: list[str]) -> tuple[str, str] | None:
        """Return the slug and the anchor of the longest command with which ``words`` begin."""
        while words:
            if known := self._known("commands", "-".join(["lonja", *words])):
                return known
            words = words[:-1]
        return None

    def _known(self, slug: str, anchor: str) -> tuple[str, str] | None:
        return (slug, anchor) if anchor in self._anchors.get(slug, ()) else None
