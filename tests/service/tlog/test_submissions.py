"""What logs and witnesses say to each other: the standard's example, and what is refused."""

import pytest

from service.tlog import submissions
from service.tlog.errors import TlogError
from service.tlog.submissions import Submission, cosignatures

# The examples of c2sp.org/tlog-witness.
REQUEST = """\
old 20852014
PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=
5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=
/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=

example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=
""".encode()  # noqa: E501  # lines of the example
ANSWER = """\
— witness.example/w1 CMp+6LWBU0anHGH5aNDTJkH/gj79sG+T6+iP2ThYN5krrDJbR1HDnucjL39QsZTSvVjyQLrdk3DXDqI5G2HgLatVs0pWh6Up69HVOw==
— witness.example/w1 I7rEps0pvK2UqkS2gSpVUDhrhVtQV9lgF6pRrWAvjJHjyWpW7VcE3SiOlVlbQNt64vWhO+DlkL0+UfzuOBMh9ChdMkP1vi/lCAsmlw==
— witness.example/w2 AWui8Sk55XjYLOijihBjhqEH6nS1ndDymE0a+6idX7pLcnoB+dhnz0854aLZgrrKbYKA7nC3HNJhm/kWl7oJlqU3rXXvpysAdyP3wQ==
""".encode()  # noqa: E501  # the same


def test_the_example_of_the_standard() -> None:
    found = Submission.parse(REQUEST)
    assert (found.old, len(found.proof)) == (20_852_014, 4)
    assert found.note.startswith(b"example.com/behind-the-sofa\n20852163\n")
    assert bytes(found) == REQUEST
    assert bytes(Submission(0, (), found.note)).startswith(b"old 0\n\nexample.com/")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b"\n\n", b"\n", "no checkpoint follows"),
        (b"old 2", b"old 02", "is not `old`"),
        (b"old 2", b"old  2", "is not `old`"),
        (b"old 2", b"OLD 2", "is not `old`"),
        (b"old 20852014", b"old 9223372036854775808", "is not `old`"),
        (b"old 20852014", b"old -1", "is not `old`"),
        (b"kaw=\n", b"kaw\n", "is not base64"),
        (b"PlRNC", b"AAAAPlRNC", "no hash of 32 bytes|is not base64"),
        (b"PlRNC", "ÄlRNC".encode(), "no checkpoint follows"),
    ],
)
def test_what_is_refused(old: bytes, new: bytes, why: str) -> None:
    body = REQUEST.replace(old, new) if b"\n\n" in old else REQUEST.replace(old, new, 1)
    with pytest.raises(TlogError, match=why):
        Submission.parse(body)


def test_a_proof_has_63_hashes_at_most() -> None:
    line = REQUEST.split(b"\n")[1] + b"\n"
    head, _blank, note = REQUEST.partition(b"\n\n")
    first = head.split(b"\n")[0] + b"\n"
    assert len(Submission.parse(first + 63 * line + b"\n" + note).proof) == 63
    with pytest.raises(TlogError, match="64 hashes, and 63 are the most"):
        Submission.parse(first + 64 * line + b"\n" + note)


def test_answers() -> None:
    names = [one.name for one in cosignatures(ANSWER)]
    assert names == ["witness.example/w1", "witness.example/w1", "witness.example/w2"]
    assert "".join(one.line for one in cosignatures(ANSWER)).encode() == ANSWER
    for wrong in (b"", ANSWER[:-1], b"\n", b"not found\n", b"\xff\n"):
        with pytest.raises(TlogError):
            cosignatures(wrong)
    assert submissions.size_of(submissions.size_body(12)) == 12
    for wrong in (b"12", b"012\n", b"12\n\n", b"\xb2\n", b"9223372036854775808\n"):
        with pytest.raises(TlogError, match="is no size of a log"):
            submissions.size_of(wrong)


def test_the_place_of_a_checkpoint() -> None:
    found = submissions.checkpoint_path("example.com/log")
    assert found.endswith("/checkpoint")
    assert len(found) == 1 + 64 + len("/checkpoint")
