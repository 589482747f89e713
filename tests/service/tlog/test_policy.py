"""Policies: the example of c2sp.org/tlog-policy, hosts that count as one, and what is refused."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.tlog.errors import TlogError
from service.tlog.keys import Algorithm, VerifierKey, cosign, sign
from service.tlog.notes import Note
from service.tlog.policy import WitnessPolicy

TEXT = "log.example/a\n7\nLXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=\n"
PRIVATE = {
    name: Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)
    for number, name in enumerate(("log.example/a", "X1", "X2", "X3", "Y1", "Y2", "Y3"), 1)
}


def key(name: str, algorithm: Algorithm = Algorithm.COSIGNATURE_V1) -> VerifierKey:
    return VerifierKey(name, algorithm, PRIVATE[name].public_key().public_bytes_raw())


LOG = key("log.example/a", Algorithm.ED25519)
POLICY = f"""\
# Whom we believe
log {LOG} https://log.example/a

witness X1 {key("X1")}
 witness\tX2 {key("X2")} https://x2.example/
witness X3 {key("X3")}
group X-witnesses 2 X1 X2 X3

witness Y1 {key("Y1")}
witness Y2 {key("Y2")}
witness Y3 {key("Y3")}
group Y-witnesses any Y1 Y2 Y3

group X-and-Y all X-witnesses Y-witnesses
quorum X-and-Y
"""


def note(*witnesses: str) -> bytes:
    cosigned = [cosign(TEXT, name, PRIVATE[name], 1_800_000_000) for name in witnesses]
    return bytes(Note(TEXT, (sign(TEXT, LOG.name, PRIVATE[LOG.name]), *cosigned)))


@pytest.mark.parametrize(
    ("seen", "is_enough"),
    [
        ("X1 X2 Y3", True),
        ("X1 X2 X3 Y1 Y2", True),
        ("X1 Y1 Y2 Y3", False),
        ("X1 X2 X3", False),
        ("", False),
    ],
)
def test_the_example_of_the_standard(seen: str, *, is_enough: bool) -> None:
    policy = WitnessPolicy.parse(POLICY.encode())
    assert policy.is_met({key(name) for name in seen.split()}) == is_enough
    raw = note(*seen.split())
    if is_enough:
        assert {one.name for one in policy.open(raw).seen} == {*seen.split()}
    else:
        alone = ", ".join(seen.split()) or "no witness"
        with pytest.raises(
            TlogError, match=f"'X-and-Y' has not seen .* of 7 leaves: {alone} alone"
        ):
            policy.open(raw)


def test_urls_are_told() -> None:
    policy = WitnessPolicy.parse(POLICY.encode())
    assert policy.logs[0].url == "https://log.example/a"
    assert [one.url for one in policy.witnesses.values()][:2] == [None, "https://x2.example/"]


def test_hosts_of_one_operator_count_as_one() -> None:
    witnesses = "".join(f"witness {name} {key(name)}\n" for name in ("X1", "X2", "Y1"))
    hosts = f"{witnesses}group X any X1 X2\ngroup two 2 X Y1\nquorum two\n"
    policy = WitnessPolicy.parse(hosts.encode())
    assert not policy.is_met([key("X1"), key("X2")])
    assert policy.is_met([key("X2"), key("Y1")])


def test_a_plain_number_of_witnesses() -> None:
    policy = WitnessPolicy.of([LOG], [key("X1"), key("X2"), key("X3")], 2)
    policy.open(note("X1", "X3"))
    with pytest.raises(TlogError, match="w1 alone has"):
        policy.open(note("X2", "Y1"))
    assert WitnessPolicy.of([LOG], [], 0).open(note()).seen == {}
    with pytest.raises(TlogError, match="'3' is no number of 2 members"):
        WitnessPolicy.of([LOG], [key("X1"), key("X2")], 3)


def test_a_log_that_the_policy_does_not_name() -> None:
    other = key("X1")._replace(algorithm=Algorithm.ED25519)
    with pytest.raises(TlogError, match=r"not signed by X1\+"):
        WitnessPolicy.of([other], [], 0).open(note())


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("log", "line 2 of the policy: 'log' defines nothing"),
        (f"log {LOG} a b", "defines nothing"),
        (f"log {key('X2')}", "has the type 0x04, and needs 0x01"),
        (f"log {LOG}\nlog {LOG._replace(name='b')}", "line 3 .* the same key as one before"),
        (f"witness X2 {LOG}", "has the type 0x01, and needs 0x04"),
        ("witness X2 X2+00", "is no verifier key"),
        (f"witness X1 {key('X2')}", "'X1' has a meaning already"),
        (f"witness none {key('X2')}", "'none' has a meaning already"),
        (f"witness again {key('X1')}", "the same key as one before"),
        ("group G any X1\ngroup H any X1", "line 3 .* 'X1' is a member already"),
        ("group G 2 X1 X1", "'X1' is a member already"),
        ("group G 0 X1", "'0' is no number of 1 members"),
        ("group G 2 X1", "'2' is no number of 1 members"),
        ("group G some X1", "'some' is no number"),
        ("group G any", "defines nothing"),
        ("group G any none", "'none' is defined on no line before"),
        ("group G any G", "'G' is defined on no line before"),
        ("quorum X2", "'X2' is defined on no line before"),
        ("quorum X1\nquorum none", "'none' is a second quorum, after 'X1'"),
        ("Quorum X1", "'Quorum X1' defines nothing"),
        ("quorum X1\r", "has a control character"),
        ("# nothing", "a policy needs a line `quorum NAME`"),
        ("#\n" * 1_000, "1003 lines, and 1000 at most"),
    ],
)
def test_what_is_no_policy(line: str, says: str) -> None:
    with pytest.raises(TlogError, match=says):
        WitnessPolicy.parse(f"witness X1 {key('X1')}\n{line}\n".encode())
    with pytest.raises(TlogError, match="not UTF-8"):
        WitnessPolicy.parse(b"\xff")
