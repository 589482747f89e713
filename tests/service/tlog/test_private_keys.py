"""Private keys are read as they are written, and no error quotes a part of one."""

import pytest

from service.tlog.errors import TlogError
from service.tlog.keys import Algorithm
from service.tlog.private_keys import SigningKey

# From the tests of golang.org/x/mod/sumdb/note (BSD-3-Clause).
PETER = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
PETERS = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"


def test_a_key_of_another_program() -> None:
    key = SigningKey.parse(PETER)
    assert str(key.verifier) == PETERS
    assert key.dump() == PETER


def test_keys_of_both_types_are_read_as_they_are_written() -> None:
    for algorithm in Algorithm:
        key = SigningKey.generate("w.example/1", algorithm)
        again = SigningKey.parse(key.dump())
        assert (again.verifier, again.dump()) == (key.verifier, key.dump())
        assert key.verifier.algorithm is algorithm


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\tb", "a\u2028b"])
def test_not_every_name_is_one(name: str) -> None:
    with pytest.raises(TlogError, match="is no name of a key"):
        SigningKey.generate(name, Algorithm.ED25519)


def test_an_error_quotes_nothing_of_a_key() -> None:
    encoded = PETER.rpartition("+")[2]
    for broken in (
        "",
        encoded,
        PETER[:-1],
        f"{PETER}\n",
        PETER.replace("PRIVATE", "PUBLIC"),
        PETER.replace("PeterNeumann", ""),
        PETER.replace("PeterNeumann", encoded),
        PETER.replace("c74f20a3", "c74f20a4"),
        PETER.replace("+AYEK", "+BoEK"),
        PETER.replace("+AYEK", "+AAAAAYEK"),
    ):
        with pytest.raises(TlogError) as found:
            SigningKey.parse(broken)
        assert encoded[:8] not in str(found.value)
