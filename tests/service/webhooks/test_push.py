"""The encryption of messages to browsers, by the example of RFC 8291, without a store."""

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from service.webhooks.push import PADDED_BYTES, encrypted, padded, public_key
from tests.pushed import raw

TEXT = b"When I grow up, I want to be a watermelon"
SERVER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
BROWSER_PRIVATE = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
BROWSER = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SALT, AUTH = "DGv6ra1nlYgDCS1FRnbzlw", "BTBZMqHH6r4Tts7J_aSIgg"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
    "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
    "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def private(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(raw(text)), ec.SECP256R1())


def test_the_example_of_the_rfc_is_encrypted_as_there() -> None:
    body = encrypted(TEXT, raw(BROWSER), raw(AUTH), salt=raw(SALT), private_key=private(SERVER))
    assert body == raw(BODY)


def test_each_message_has_a_key_and_a_salt_of_its_own() -> None:
    bodies = [encrypted(TEXT, raw(BROWSER), raw(AUTH)) for _ in range(2)]
    assert bodies[0][:16] != bodies[1][:16]
    assert bodies[0][21:86] != bodies[1][21:86]
    for body in bodies:
        key = private(BROWSER_PRIVATE)
        assert http_ece.decrypt(body, private_key=key, auth_secret=raw(AUTH)) == TEXT


def test_short_texts_have_one_length() -> None:
    assert {len(padded(b"{}" * n)) for n in (1, 100, PADDED_BYTES // 2)} == {PADDED_BYTES}
    assert padded(b"x" * 1_000) == b"x" * 1_000


@pytest.mark.parametrize(
    "point", [b"", b"\x04" + bytes(64), raw(BROWSER)[:-1], raw(BROWSER) + b"."]
)
def test_what_is_no_key_is_refused(point: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        public_key(point)
