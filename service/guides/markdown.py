"""HTML from Markdown: CommonMark with tables and anchors of headings, without embedded HTML."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup

Link = Callable[[str], str | None]
"""Returns the target on the site for a page's link; None: only the link's words are shown."""
Reference = Callable[[str], str | None]
"""Returns the address of the explanation of a name in code; None if there is none."""
_COMMENT = re.compile(r"^<!-- .* -->\n", re.MULTILINE)
_DEEPEST_LISTED = 3


class Section(NamedTuple):
    """A heading with the text below it; ``level`` is 1 for the page's title."""

    level: int
    anchor: str
    title: str
    text: str


class RenderedPage(NamedTuple):
    """A page as HTML, and its sections in order."""

    html: Markup
    sections: tuple[Section, ...]

    @property
    def listed(self) -> list[Section]:
        """The sections for a table of contents."""
        return [each for each in self.sections if 1 < each.level <= _DEEPEST_LISTED]


def render(text: str, link: Link, reference: Reference = lambda _: None) -> RenderedPage:
    """Return a page as HTML.

    ``link`` gives the targets of the page's links. HTML in the text is shown as text.

    Code for which ``reference`` has an address becomes a link.
    """
    reader = _reader()
    tokens = reader.parse(_COMMENT.sub("", text))
    sections = _anchored(tokens)
    _anchor_rows(tokens, {each.anchor for each in sections})
    for token in tokens:
        if token.attrGet("style") is not None:  # a column's alignment; CSP refuses it as a style
            token.attrSet("class", str(token.attrs.pop("style")).partition(":")[2])
        if token.children is not None:
            token.children = _led(token.children, link, reference)
    html = reader.renderer.render(tokens, reader.options, {})
    return RenderedPage(Markup(html), sections)  # noqa: S704 - HTML in the text is escaped


@cache
def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.add_render_rule("table_open", _open_table)
    reader.add_render_rule("table_close", _close_table)
    reader.add_render_rule("fence", _block_of_code)
    return reader


def title_of(text: str) -> str:
    """Return the title of a page: its first line, without markup."""
    line = text.partition("\n")[0].removeprefix("# ")
    return _words(MarkdownIt("commonmark").parseInline(line)[0])


def anchor_of(title: str) -> str:
    """Return the anchor of a heading, in the form that GitHub gives it."""
    return re.sub(r"[^\w-]", "", title.lower().replace(" ", "-"))


def _anchored(tokens: list[Token]) -> tuple[Section, ...]:
    """Give headings their anchors, and return the sections."""
    found: list[tuple[int, str, str, list[str]]] = []
    seen: dict[str, int] = {}
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            title = _words(tokens[at + 1])
            anchor = anchor_of(title)
            again = seen[anchor] = seen.get(anchor, -1) + 1
            anchor += f"-{again}" if again else ""
            token.attrSet("id", anchor)
            found.append((int(token.tag[1:]), anchor, title, []))
        elif found and token.type in {"inline", "fence"}:
            is_heading = at > 0 and tokens[at - 1].type == "heading_open"
            if not is_heading:
                found[-1][3].append(_words(token))
    return tuple(
        Section(level, anchor, title, " ".join(texts)) for level, anchor, title, texts in found
    )


def _words(token: Token) -> str:
    if token.children is None:
        return token.content
    return "".join(" " if each.type == "softbreak" else each.content for each in token.children)


def _anchor_rows(tokens: list[Token], taken: set[str]) -> None:
    """Give an anchor to each table row if the first cell of the row is a name in code."""
    for row, first, cell in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if row.type == "tr_open" and first.type == "td_open" and cell.children:
            names = [each for each in cell.children if each.content]
            if len(names) == 1 and names[0].type == "code_inline":
                anchor = anchor_of(names[0].content)
                if anchor not in taken:
                    row.attrSet("id", anchor)
                    taken.add(anchor)


def _led(children: list[Token], link: Link, reference: Reference) -> list[Token]:
    """Return the tokens of a text, with its links.

    ``link`` gives the targets of the text's links. Code that ``reference`` knows becomes a link to
    the address that ``reference`` gives.
    """
    led: list[Token] = []
    dropped = False
    depth = 0
    for each in children:
        if each.type == "link_open":
            to = link(str(each.attrs["href"]))
            dropped = to is None
            if to is not None:
                each.attrSet("href", to)
        if each.type == "image":
            each.attrSet("src", link(str(each.attrs["src"])) or "")
        depth += each.nesting if each.type.startswith("link") else 0
        named = reference(each.content) if each.type == "code_inline" and depth == 0 else None
        if named is not None:
            led += [Token("link_open", "a", 1, {"href": named}), each, Token("link_close", "a", -1)]
        elif not (dropped and each.type in {"link_open", "link_close"}):
            led.append(each)
        if each.type == "link_close":
            dropped = False
    return led


def _block_of_code(self: RendererHTML, tokens: list[Token], at: int, *more: Any) -> str:
    """Render a block of code that the keyboard can scroll."""
    return RendererHTML.fence(self, tokens, at, *more).replace("<pre>", '<pre tabindex="0">', 1)


def _open_table(_self: Any, _tokens: list[Token], _at: int, *_more: Any) -> str:
    return '<div class="wide" tabindex="0">\n<table>\n'


def _close_table(_self: Any, _tokens: list[Token], _at: int, *_more: Any) -> str:
    return "</table>\n</div>\n"
