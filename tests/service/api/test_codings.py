"""Compressed answers: the coding that a caller gets, and answers that are never compressed."""

import gzip
from collections.abc import Callable, Mapping

import brotli  # type: ignore[import-untyped]  # has no types
import pytest

from service.api.http import codings
from tests.service.api.people import House

LONG, SHORT = "/v1/rulesets/santiago_de_cuba", "/v1/players/me"
DECODED: Mapping[str | None, Callable[[bytes], bytes]] = {
    "br": brotli.decompress,
    "gzip": gzip.decompress,
    None: bytes,
}


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        (None, None),
        ("", None),
        ("gzip", "gzip"),
        ("gzip, deflate, br, zstd", "br"),
        ("br;q=0.5, gzip", "gzip"),
        ("br;q=0, gzip;q=0", None),
        ("identity, gzip;q=0.5", None),
        ("identity;q=0.5, gzip;q=0.5", "gzip"),
        ("*", "br"),
        ("br;q=0, *;q=0.1", "gzip"),
        ("*;q=0", None),
        ("GZIP", "gzip"),
        ("deflate, zstd", None),
        ("br;q=much, gzip", "gzip"),
        ("é, ;;=,q", None),
    ],
)
def test_the_coding_that_a_caller_likes_best(
    house: House, accepted: str | None, coding: str | None
) -> None:
    plain = house.visitor.get(LONG)
    answer = house.visitor.get(LONG, **({} if accepted is None else {"Accept_Encoding": accepted}))
    assert answer.headers.get("Content-Encoding") == coding
    assert DECODED[coding](answer.data) == plain.data
    suffix = "" if coding is None else f"-{coding}"
    assert answer.headers["ETag"] == f'"{plain.headers["ETag"][1:-1]}{suffix}"'
    if coding:
        assert 3 * len(answer.data) < len(plain.data)


def test_short_answers_go_plain_unless_that_is_refused(house: House) -> None:
    ana = house.player()
    plain = ana.get(SHORT, Accept_Encoding="br, gzip")
    assert "Content-Encoding" not in plain.headers
    assert "Accept-Encoding" in plain.headers["Vary"]
    for refusal in ("gzip, identity;q=0", "gzip, *;q=0"):
        coded = ana.get(SHORT, Accept_Encoding=refusal)
        assert gzip.decompress(coded.data) == plain.data


def test_a_copy_is_good_in_the_codings_that_the_caller_takes(house: House) -> None:
    tags = {
        coding: house.visitor.get(LONG, Accept_Encoding=coding).headers["ETag"]
        for coding in ("br", "gzip", "identity")
    }
    assert len({*tags.values()}) == len(tags), "a strong ETag stands for the bytes"
    for coding, kept, status in (
        ("gzip", tags["gzip"], 304),
        ("gzip", tags["identity"], 304),
        ("gzip", tags["br"], 200),  # else a cache could send what the caller cannot read
        ("identity", tags["gzip"], 200),
        ("br", f"W/{tags['br']}", 304),
        ("br", ", ".join(tags.values()), 304),
    ):
        answer = house.visitor.get(LONG, Accept_Encoding=coding, If_None_Match=kept)
        assert answer.status_code == status, (coding, kept)
        assert answer.headers["ETag"] in {tags[coding], tags["identity"]}


def test_views_are_compressed_and_changes_and_streams_are_not(house: House) -> None:
    ana = house.player()
    url = house.table(ana, house.player(), ruleset="ragusa")
    plain = ana.get(f"{url}/state")
    for coding in ("br", "gzip"):
        answer = ana.get(f"{url}/state", Accept_Encoding=coding)
        assert DECODED[coding](answer.data) == plain.data
        assert 2 * len(answer.data) < len(plain.data)
    moved = ana.move(url, 0, Accept_Encoding="br")
    assert (moved.status_code, "Content-Encoding" in moved.headers) == (201, False)
    with ana.get(f"{url}/stream", Accept_Encoding="br") as stream:
        assert "Content-Encoding" not in stream.headers


def test_what_is_kept_is_compressed_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = (LONG, "/openapi.yaml", "/static/app/app.js")
    first = [house.visitor.get(path, Accept_Encoding="br").data for path in paths]
    monkeypatch.setattr(codings, "thorough", None)
    assert [house.visitor.get(path, Accept_Encoding="br").data for path in paths] == first
