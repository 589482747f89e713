"""Faces of bots: the same for the same name, drawn of shapes alone."""

from xml.etree import ElementTree as ET

import pytest

from service.api.faces import CHOSEN, face_of, svg
from service.catalogue.bots import BOTS
from tests.service.api.people import House


def test_each_bot_of_this_project_has_a_face_of_its_own() -> None:
    assert CHOSEN.keys() == BOTS.keys()
    assert len({svg(face_of(name)) for name in BOTS}) == len(BOTS)


@pytest.mark.parametrize("name", ["p-aaaaaaaaaaaaaaaa", "p-bbbbbbbbbbbbbbbb", "deep.thought-2"])
def test_a_strangers_face_follows_from_the_name(name: str) -> None:
    drawn = svg(face_of(name))
    assert drawn == svg(face_of(name))
    assert len(drawn) < 2_000
    shapes = {element.tag.rpartition("}")[2] for element in ET.fromstring(drawn).iter()}
    assert shapes <= {"svg", "clipPath", "g", "path", "circle", "ellipse"}


def test_strangers_faces_differ() -> None:
    assert len({svg(face_of(f"p-{number:016}")) for number in range(100)}) > 90


def test_faces_are_pictures_that_load_nothing(house: House) -> None:
    answer = house.visitor.get("/faces/greedy.svg")
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    assert answer.text == svg(CHOSEN["greedy"])
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert answer.headers["Cache-Control"] == "public, max-age=86400"
    again = house.visitor.get("/faces/greedy.svg", If_None_Match=answer.headers["ETag"])
    assert again.status_code == 304
    for name in ("a b", "x" * 81, "%3Cscript%3E"):
        assert house.visitor.get(f"/faces/{name}.svg").status_code == 404
