"""Policies: the standard's example, what must be refused, and hosts of one operator."""

from hashlib import sha256
from itertools import chain, combinations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.tlog.errors import TlogError
from service.tlog.keys import Algorithm, VerifierKey
from service.tlog.policies import TrustPolicy
from service.tlog.private_keys import SigningKey


def _key(name: str, algorithm: Algorithm = Algorithm.COSIGNATURE_V1) -> VerifierKey:
    seed = Ed25519PrivateKey.from_private_bytes(sha256(name.encode()).digest())
    return SigningKey(name, algorithm, seed).verifier


LOG = _key("example.org/log", Algorithm.ED25519)
KEYS = {name: _key(f"{name}.example") for name in ("X1", "X2", "X3", "Y1", "Y2", "Y3")}
WITNESSES = "".join(f"witness {name} {key}\n" for name, key in KEYS.items())
# The example of c2sp.org/tlog-policy.
EXAMPLE = f"""\
log {LOG} https://example.org/log
{WITNESSES}group X-witnesses 2 X1 X2 X3
group Y-witnesses any Y1 Y2 Y3

group X-and-Y all X-witnesses Y-witnesses
quorum X-and-Y
"""


def _parsed(text: str) -> TrustPolicy:
    return TrustPolicy.parse(text.encode())


def test_the_example_of_the_standard() -> None:
    policy = _parsed(EXAMPLE)
    assert policy.logs_of("example.org/log") == (LOG,)
    assert policy.logs_of("example.org/other") == ()
    assert policy.urls == {LOG: "https://example.org/log"}
    every = chain.from_iterable(combinations(KEYS, count) for count in range(len(KEYS) + 1))
    for names in every:
        xs = sum(name.startswith("X") for name in names)
        expected = xs >= 2 and len(names) > xs
        assert policy.is_met({KEYS[name] for name in names}) == expected, names


def test_hosts_of_one_operator_count_as_one() -> None:
    policy = _parsed(
        f"{WITNESSES}group x any X1 X2 X3\ngroup y any Y1 Y2\ngroup two 2 x y Y3\nquorum two\n"
    )
    assert not policy.is_met({KEYS["X1"], KEYS["X2"], KEYS["X3"]})
    assert policy.is_met({KEYS["X1"], KEYS["Y2"]})
    seen = {KEYS["X1"]: 5, KEYS["X2"]: 7, KEYS["Y1"]: 30, KEYS["Y3"]: 20}
    assert policy.met_at(seen) == 20
    assert policy.met_at({KEYS["X1"]: 5, KEYS["X2"]: 7}) is None


def test_spaces_comments_and_other_bytes() -> None:
    key = KEYS["X1"]
    text = f"\n\t# W\u00e4chter\n  witness\tK\u00e4the   {key} \t\n\nquorum K\u00e4the\n"
    assert _parsed(text).is_met({key})
    latin = text.encode("latin-1")
    assert TrustPolicy.parse(latin).witnesses == {r"K\xe4the": key}
    assert _parsed("quorum none").quorum is None
    assert _parsed("quorum none").is_met(())
    assert _parsed("quorum none").met_at({}) == 0


def test_any_of_some_keys() -> None:
    keys = [KEYS[name] for name in ("X1", "X2", "Y1")]
    policy = TrustPolicy.of(keys, 2)
    assert not policy.is_met({keys[0]})
    assert policy.is_met({keys[0], keys[2]})
    for wrong in (0, 4):
        with pytest.raises(TlogError, match=f"of 3 witnesses, {wrong} cannot be the quorum"):
            TrustPolicy.of(keys, wrong)
    again = VerifierKey("other.name", keys[0].algorithm, keys[0].public_key)
    with pytest.raises(TlogError, match="is there twice"):
        TrustPolicy.of([*keys, again], 2)
    with pytest.raises(TlogError, match="is not a key of a witness"):
        TrustPolicy.of([LOG], 1)


def _same(name: str, algorithm: Algorithm) -> VerifierKey:
    return VerifierKey(name, algorithm, KEYS["X1"].public_key)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ("quorum X1\nquorum X2\n", r"line 7: 'quorum X2' is no line of a policy"),
        ("", "there is no line `quorum`"),
        ("quorum X4\n", "no line above names 'X4'"),
        ("quorum group\ngroup group any X1\n", "no line above names 'group'"),
        ("group g 0 X1\n", "'0' is not `any`, `all`, or a number up to 1"),
        ("group g 02 X1 X2\n", "'02' is not"),
        ("group g 3 X1 X2\n", "'3' is not .* up to 2"),
        ("group g any\n", "is no line of a policy"),
        ("group g any X1\ngroup h any X1\n", "'X1' is a member of two groups"),
        ("group g any X1 X1\n", "or twice of one"),
        ("group X1 any X2\n", "the name 'X1' is taken"),
        ("group none any X2\n", "the name 'none' is taken"),
        ("group g any none\n", "no line above names 'none'"),
        (f"witness X1 {_key('new')}\n", "the name 'X1' is taken"),
        (f"witness W {_same('new', Algorithm.COSIGNATURE_V1)}\n", "is there twice"),
        (f"log {_same('new', Algorithm.ED25519)}\n", "a log's is no witness's"),
        (f"log {_key('new')}\n", "is not a key of a log"),
        (f"witness W {LOG}\n", "is not a key of a witness"),
        ("witness W key\n", "is no verifier key"),
        ("log\n", "is no line of a policy"),
        ("quorum\rX1\n", "has a control character"),
        ("policy\n", "'policy' is no line of a policy"),
    ],
)  # fmt: skip
def test_what_is_refused(more: str, why: str) -> None:
    witnesses = "".join(WITNESSES.splitlines(keepends=True)[:5])
    with pytest.raises(TlogError, match=why):
        _parsed(f"{witnesses}{more}")


def test_a_long_file_is_not_read() -> None:
    with pytest.raises(TlogError, match="a policy has 262145 bytes, and 262144 are the most"):
        TrustPolicy.parse(b"#" * 262_145)
