"""Runs the tests of modules that need no browser; they are beside the modules, for Node."""

import subprocess

from tests.service.verifier.programs import CLIENT, NODE


def test_each_module_by_itself() -> None:
    assert (CLIENT / "node_modules").is_dir(), "the packages are installed by `make test`"
    found = [*CLIENT.glob("*.test.mjs"), *CLIENT.glob("[!n]*/**/*.test.ts")]
    assert CLIENT / "verify/vectors.test.ts" in found
    command = [str(NODE), "--test", "--test-isolation=none", *map(str, found)]
    done = subprocess.run(command, cwd=CLIENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
