"""Signed notes, keys and co-signatures: the standards' examples, and what must be refused."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given, settings
from hypothesis import strategies as st

from service.tlog.errors import TlogError
from service.tlog.keys import Algorithm, Signature, VerifierKey, cosign, sign
from service.tlog.notes import MOST_SIGNATURES, Note

# The example of c2sp.org/signed-note.
KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
NOTE = (
    "This is an example message.\n"
    "\n"
    "— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKu"
    "wHjG1Yu72IneyaQM=\n"
).encode()

# The private keys of the next note have the bytes 0 … 31 and 1 … 32. Two other implementations,
# tlog-scales 0.0.3 and aics-tlog 0.2.1, take it with these keys.
LOG = "example.com/log+d455c521+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"
WITNESS = "w.example/1+8de69f4a+BHm1Vi6P5lT5QHixEuipi6eQH4U65pW+1+DjkQutBJZk"
COSIGNED = (
    "example.com/log\n"
    "7\n"
    "LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=\n"
    "\n"
    "— example.com/log 1FXFIT/KzKsJmSe8jMCARe1b6SEfqexgKZDWL7GUDEagOumDbcwrKoe9WyJ+2Gg3ofV9tQgATHa"
    "qy/xWei5cCYpeAA4=\n"
    "— w.example/1 jeafSgAAAABkGFDLJfQrF/T6dWxYNwW/jozgOOgk3HmgUVhGpTrMtHW/ECjpa3a9XD111An8/hBpse+"
    "8IGn0bHv64usooJi63SivCw==\n"
).encode()
AT = 1_679_315_147

LOG_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
WITNESS_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))


def test_the_example_of_the_standard() -> None:
    note = Note.parse(NOTE)
    key = VerifierKey.parse(KEY)
    assert note.text == "This is an example message.\n"
    assert note.verify([key]) == {key: None}
    assert bytes(note) == NOTE
    assert str(key) == KEY


def test_a_key_of_a_running_witness() -> None:
    """From the tests of transparency-dev/formats (BSD-3-Clause)."""
    text = "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2"
    key = VerifierKey.parse(text)
    assert (key.name, key.algorithm) == ("remora.n621.de", Algorithm.COSIGNATURE_V1)
    assert str(key) == text


def test_signing_makes_the_same_bytes_as_others_do() -> None:
    text = Note.parse(COSIGNED).text
    signatures = (
        sign(text, "example.com/log", LOG_KEY),
        cosign(text, "w.example/1", WITNESS_KEY, AT),
    )
    assert bytes(Note(text, signatures)) == COSIGNED
    keys = [VerifierKey.parse(LOG), VerifierKey.parse(WITNESS)]
    assert Note.parse(COSIGNED).verify(keys) == {keys[0]: None, keys[1]: AT}


def test_unknown_signatures_are_ignored_and_known_ones_must_be_right() -> None:
    note, log, witness = Note.parse(COSIGNED), VerifierKey.parse(LOG), VerifierKey.parse(WITNESS)
    assert note.verify([log]) == {log: None}
    with pytest.raises(TlogError, match=r"not signed by example\.com/foo\+530d903a"):
        note.verify([VerifierKey.parse(KEY)])
    with pytest.raises(TlogError, match="not signed by no key"):
        note.verify([])
    wrong = [note.signatures[0], note.signatures[1]._replace(value=b"\0" * 72)]
    other = Note(note.text, tuple(wrong))
    assert other.verify([log]) == {log: None}
    with pytest.raises(TlogError, match=r"the signature of w\.example/1\+8de69f4a\+.* is wrong"):
        other.verify([log, witness])
    with pytest.raises(TlogError, match="is wrong"):
        Note(note.text + "8\n", note.signatures).verify([log])


def test_a_co_signature_covers_its_time() -> None:
    note, witness = Note.parse(COSIGNED), VerifierKey.parse(WITNESS)
    log, own = note.signatures
    later = own._replace(value=(AT + 1).to_bytes(8, "big") + own.value[8:])
    with pytest.raises(TlogError, match="is wrong"):
        Note(note.text, (log, later)).verify([witness])
    never = cosign(note.text, witness.name, WITNESS_KEY, 1 << 63)
    with pytest.raises(TlogError, match="later than any time"):
        Note(note.text, (never,)).verify([witness])


def test_the_first_of_several_co_signatures_counts() -> None:
    note, witness = Note.parse(COSIGNED), VerifierKey.parse(WITNESS)
    more = tuple(cosign(note.text, witness.name, WITNESS_KEY, AT + more) for more in (-5, 60))
    assert Note(note.text, (*note.signatures, *more)).verify([witness]) == {witness: AT - 5}


def test_a_signature_for_another_purpose_is_none() -> None:
    """One private key, used as a log's and as a witness's, under one name."""
    text = Note.parse(COSIGNED).text
    as_log = sign(text, "x", LOG_KEY)
    witness = VerifierKey("x", Algorithm.COSIGNATURE_V1, LOG_KEY.public_key().public_bytes_raw())
    assert as_log.key_id != witness.id
    with pytest.raises(TlogError, match="is wrong"):
        witness.verify(text, as_log)


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"", "no signatures follow an empty line"),
        (b"text\n", "no signatures follow an empty line"),
        (b"text\n\n", "no signatures follow an empty line"),
        (NOTE[:-1], "no signatures follow an empty line"),
        (b"text\n\nmore\n", "'more' is no signature"),
        (NOTE + b"\n", "no signatures follow an empty line"),
        (NOTE.replace("— ".encode(), b"- "), "'- example.com/foo .* is no signature"),
        (NOTE.replace(b"com/foo", b"com+foo"), "is no signature"),
        (NOTE.replace(b"com/foo", "com\xa0foo".encode()), "is no signature"),
        (NOTE.replace(b"eyaQM=", b"eyaQN="), "is not base64 as it is written"),
        (NOTE.replace(b"Uw2Q", b"Uw*Q"), "is not base64"),
        ("text\n\n— x AAAAAA==\n".encode(), "the id of a key and no signature"),
        (NOTE.replace(b"This", b"Th\tis"), r"the character '\\t'"),
        (NOTE.replace(b"This", b"\xff"), "not UTF-8"),
        (b"a" * 300_000, "a note has 300000 bytes"),
        (NOTE + NOTE.splitlines(keepends=True)[-1] * MOST_SIGNATURES, "101 signatures"),
    ],
)
def test_what_is_no_note(raw: bytes, says: str) -> None:
    with pytest.raises(TlogError, match=says):
        Note.parse(raw)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is no verifier key"),
        ("example.com/foo", "is no verifier key"),
        (KEY.replace("example", "ex ample"), "is no verifier key"),
        (KEY + "AAAA", "is no verifier key"),
        (KEY[:-1], "is not base64"),
        (KEY.replace("530d903a", "530d903b"), "has the id '530d903b', and 530d903a is right"),
        (KEY.replace("530d903a", "530D903A"), "has the id '530D903A'"),
        (KEY.replace("+Aek", "+Auk"), "signatures of the type 0x02"),
    ],
)
def test_what_is_no_key(text: str, says: str) -> None:
    with pytest.raises(TlogError, match=says):
        VerifierKey.parse(text)


def test_a_key_under_which_anybody_can_sign_is_refused() -> None:
    """OpenSSL takes this signature, made without a private key, for every text."""
    nobody = VerifierKey("x", Algorithm.ED25519, b"\1" + bytes(31))
    signature = Signature("x", nobody.id, b"\1" + bytes(63))
    Ed25519PublicKey.from_public_bytes(nobody.public_key).verify(signature.value, b"any")
    with pytest.raises(TlogError, match="is wrong"):
        nobody.verify("any\n", signature)
    small = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc"
    weak = ["00" * 32, "01" + "00" * 31, f"{small}05", f"{small}85", "ec" + "ff" * 30 + "7f"]
    for public in weak:
        key = VerifierKey("x", Algorithm.ED25519, bytes.fromhex(public))
        with pytest.raises(TlogError, match="is a weak key: anybody can sign for it"):
            VerifierKey.parse(str(key))


def test_nobody_signs_under_a_name_that_no_note_can_have() -> None:
    for name in ("", "a b", "a+b", "a\nb", "a\u2003b"):
        with pytest.raises(TlogError, match="is no name of a key"):
            sign("text\n", name, LOG_KEY)


CHARACTERS = "ab.—é+ "
NAMES = st.text(CHARACTERS[:-2], min_size=1, max_size=9)
LINES = st.text(CHARACTERS, max_size=9)


@given(
    lines=st.lists(LINES, min_size=1, max_size=5),
    signed=st.lists(st.tuples(NAMES, st.binary(min_size=5, max_size=80)), min_size=1, max_size=4),
)
@settings(max_examples=40, deadline=None)
def test_notes_are_read_as_they_were_written(
    lines: list[str], signed: list[tuple[str, bytes]]
) -> None:
    signatures = tuple(Signature(name, raw[:4], raw[4:]) for name, raw in signed)
    note = Note("".join(f"{line}\n" for line in lines), signatures)
    assert Note.parse(bytes(note)) == note
