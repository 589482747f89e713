"""Checkpoints: the form of c2sp.org/tlog-checkpoint, and who must have signed one."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.tlog.checkpoints import Checkpoint, open_checkpoint
from service.tlog.errors import TlogError
from service.tlog.keys import Algorithm, VerifierKey, cosign, sign
from service.tlog.merkle import EMPTY_ROOT
from service.tlog.notes import Note

# The example of c2sp.org/tlog-checkpoint.
TEXT = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
ORIGIN = "example.com/behind-the-sofa"
LOG, WITNESS = (Ed25519PrivateKey.from_private_bytes(bytes([n]) * 32) for n in (1, 2))


def key(name: str, private: Ed25519PrivateKey, algorithm: Algorithm) -> VerifierKey:
    return VerifierKey(name, algorithm, private.public_key().public_bytes_raw())


LOG_KEY = key(ORIGIN, LOG, Algorithm.ED25519)
WITNESS_KEY = key("w.example", WITNESS, Algorithm.COSIGNATURE_V1)


def test_the_example_of_the_standard() -> None:
    checkpoint = Checkpoint.parse(TEXT)
    assert checkpoint[:2] == (ORIGIN, 20_852_163)
    assert checkpoint.root.hex().startswith("0ac5186a91863e8e")
    assert checkpoint.text == TEXT


def test_extensions_and_an_empty_log() -> None:
    checkpoint = Checkpoint("log", 0, EMPTY_ROOT, ("one", "two"))
    assert checkpoint.text.startswith("log\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\none\n")
    assert Checkpoint.parse(checkpoint.text) == checkpoint


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is no checkpoint of three lines"),
        (TEXT[:-1], "is no checkpoint of three lines"),
        (TEXT + "\n", "is no checkpoint of three lines"),
        ("\n" + TEXT, "is no checkpoint of three lines"),
        (TEXT.replace("208", "0208"), "'020852163' is no size"),
        (TEXT.replace("208", "-208"), "'-20852163' is no size"),
        (TEXT.replace("208", "٢08"), "is no size"),
        (TEXT.replace("20852163", str(1 << 63)), "'9223372036854775808' is no size"),
        (TEXT.replace("20852163", "9" * 5000), "is no size"),
        (TEXT.replace("CsUY", ""), "is no hash of 32 bytes"),
        (TEXT.replace("q2I=", "q2J="), "is not base64"),
    ],
)
def test_what_is_no_checkpoint(text: str, says: str) -> None:
    with pytest.raises(TlogError, match=says):
        Checkpoint.parse(text)


def test_a_checkpoint_is_opened_with_those_who_have_seen_it() -> None:
    signatures = sign(TEXT, ORIGIN, LOG), cosign(TEXT, "w.example", WITNESS, 1_800_000_000)
    raw = bytes(Note(TEXT, signatures))
    opened = open_checkpoint(raw, [LOG_KEY], [WITNESS_KEY])
    assert opened.checkpoint == Checkpoint.parse(TEXT)
    assert opened.seen == {WITNESS_KEY: 1_800_000_000}
    assert bytes(opened.note) == raw
    assert open_checkpoint(raw, [LOG_KEY]).seen == {}


def test_a_log_must_have_signed_its_own_checkpoint() -> None:
    cosigned = cosign(TEXT, "w.example", WITNESS, 1)
    elsewhere = key("elsewhere.example", LOG, Algorithm.ED25519)
    for signatures, keys in (
        ((cosigned,), [LOG_KEY]),
        ((sign(TEXT, elsewhere.name, LOG), cosigned), [elsewhere]),
        ((cosign(TEXT, ORIGIN, LOG, 1),), [key(ORIGIN, LOG, Algorithm.COSIGNATURE_V1)]),
    ):
        with pytest.raises(TlogError, match=f"the log '{ORIGIN}' has not signed"):
            open_checkpoint(bytes(Note(TEXT, signatures)), keys, [WITNESS_KEY])
