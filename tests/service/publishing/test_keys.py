"""The file of the log's private keys, of which no error may quote a part."""

import pytest

from service.publishing.keys import LogKeys
from service.tlog.errors import TlogError


def test_keys_are_read_as_they_are_written() -> None:
    keys = LogKeys.generate("games.example/log")
    assert LogKeys.parse(keys.dump()).dump() == keys.dump()
    assert [key.name for key in keys.verifiers] == ["games.example/log", "games.example/log/time"]


def test_an_error_quotes_nothing_of_a_key() -> None:
    first, second, _end = LogKeys.generate("a").dump().split("\n")
    parts = [line.split("+", 4)[4] for line in (first, second)]  # which may have pluses
    without_name = first.replace("+a+", "+")
    moved = first.removesuffix(f"+{parts[0]}").replace("+a+", f"+{parts[0]}+")
    for broken in (
        first,
        f"{second}\n{first}\n",
        f"{first[:-1]}\n{second}\n",
        f"{first}!\n{second}\n",
        f"{without_name}\n{second}\n",
        f"{moved}+{parts[0]}\n{second}\n",
        f"{first}\n{second.replace('a/time', parts[1])}\n",
    ):
        with pytest.raises(TlogError) as found:
            LogKeys.parse(broken)
        assert not [part for part in parts if part[:8] in str(found.value)]
