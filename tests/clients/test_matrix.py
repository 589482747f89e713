"""Clients of further generators: the tests make them, check them, and play with them.

Each plays a whole game of every ruleset. Every message of a tool is listed here, with the reason.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.clients import generators
from tests.clients.conftest import Service
from tests.clients.test_programs import RULESETS, SECONDS

MATRIX = generators.CLIENTS / "matrix"
PYTHON = MATRIX / ".venv/bin/python"
"""A Python with the lock file's packages, which `make campaign NAME=clients` installs."""
PACKAGES = MATRIX / "node_modules"

pytestmark = [pytest.mark.campaign("clients"), pytest.mark.timeout(1800)]

# Messages of the tools: a pattern for each line, and the reason

BETA = r"\[main\] WARN .* OpenAPI 3\.1 support is still in beta\. .*"
"""A warning that openapi-generator prints for every document of OpenAPI 3.1."""
NAMELESS = r"\[main\] WARN .*ModelUtils - Failed to get the schema name: null"
"""A warning that it prints for each inline schema, because such a schema has no name."""
ANYTHING = r"\[main\] WARN .* Codegen property is null .* Default to typing\.Any\."
"""A warning about members with any JSON value: `Any` is the intended type in Python."""
RESERVED = r"\[main\] WARN .* \(reserved word\) cannot be used as .* name\. Renamed to .*"
DEPRECATED = r"Note: .*"
"""The notes that javac prints about the generated classes."""


class Tool(NamedTuple):
    """A generator, the check of its output, and the program that plays with its client."""

    make: list[str]
    check: list[str]
    play: list[str]
    says: tuple[str, ...] = ()


def openapi_generator(language: str, made: str, **options: str) -> list[str]:
    told = ",".join(f"{name}={value}" for name, value in options.items())
    command = str(PYTHON.with_name("openapi-generator-cli"))
    settings = ["--additional-properties", told] if told else []
    return [command, "generate", "-g", language, "-i", "openapi.yaml", "-o", made, *settings]


NODE = generators.node()
JAR = "openapi-generator.jar"
"""A file that contains Jackson, which the generated Java classes need."""
JAVAC = f"-encoding UTF-8 -d made -cp {JAR}"
TSC = [NODE, "node_modules/.bin/tsc", "--project", "tsconfig.json"]


def by_node(name: str) -> list[str]:
    return [NODE, f"made/{name}.js"]


TOOLS = {
    "openapi-generator python": Tool(
        openapi_generator("python", "generated/python"),
        [generators.tool("mypy"), "--strict", "--follow-imports=silent", "openapi_generator.py"],
        [str(PYTHON), "openapi_generator.py"],
        (BETA, NAMELESS, ANYTHING, RESERVED),
    ),
    "openapi-generator typescript-fetch": Tool(
        openapi_generator(
            "typescript-fetch", "generated/openapi_generator", importFileExtension=".js"
        ),
        TSC,
        by_node("openapi_generator"),
        (BETA, NAMELESS),
    ),
    # Without this option, its Java classes send an unset optional list as an empty list.
    "openapi-generator java": Tool(
        openapi_generator(
            "java", "generated/java", library="native", openApiNullable="false",
            useJakartaEe="false", containerDefaultToNull="true",
        ),
        ["sh", "-c", f"javac {JAVAC} *.java $(find generated -path '*/main/*.java')"],
        ["java", "-cp", f"made:{JAR}", "Play"],
        (BETA, NAMELESS, RESERVED, DEPRECATED),
    ),
    "orval": Tool(
        [NODE, "node_modules/.bin/orval", "--input", "openapi.yaml", "--output",
         "generated/orval.ts", "--client", "fetch"],
        TSC,
        by_node("orval"),
        (r".*orval v[\d.]+ - .*", r".* Your OpenAPI spec has been converted .*"),
    ),
    "swagger-typescript-api": Tool(
        [NODE, "node_modules/.bin/swagger-typescript-api", "generate", "--path", "openapi.yaml",
         "--output", "generated", "--name", "swagger_typescript_api.ts"],
        TSC,
        by_node("swagger_typescript_api"),
        (r"\S Code generator will use the default template .*", r"\S try to get swagger .*",
         r"\S start generating .*", r"\S api file .* created in .*"),
    ),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the programs, the description and the packages."""
    for installed in (PYTHON, PACKAGES):
        assert installed.exists(), "it is installed by `make campaign NAME=clients`"
    shutil.copytree(MATRIX, tmp_path / "matrix", ignore=shutil.ignore_patterns(".venv", "node_*"))
    here = tmp_path / "matrix"
    (here / "node_modules").symlink_to(PACKAGES)
    shutil.copy(generators.DOCUMENT, here)
    found = generators.run(
        [str(PYTHON), "-c", "import openapi_generator_cli as o; print(o.__file__)"]
    )
    (here / JAR).symlink_to(Path(found.strip()).with_name(JAR))
    return here


@pytest.mark.parametrize("name", TOOLS)
def test_a_client_is_made_and_plays_whole_games(name: str, service: Service, folder: Path) -> None:
    tool = TOOLS[name]
    for missing in {tool.check[0], tool.play[0]} & {"java", "javac", "sh"}:
        assert shutil.which(missing), f"{name} needs {missing}: install a JDK"
    alone(folder, name)
    said = [*lines(tool.make, folder), *lines(tool.check, folder)]
    assert not {line for line in said if not any(re.fullmatch(way, line) for way in tool.says)}
    env = {"PYTHONPATH": str(folder / "generated/python")}
    played = subprocess.run(
        [*tool.play, service.url], cwd=folder, env=env, capture_output=True, text=True,
        timeout=3 * SECONDS, check=False,
    )  # fmt: skip
    assert played.returncode == 0, played.stderr
    games = [json.loads(line) for line in played.stdout.splitlines()]
    assert {game["ruleset"] for game in games} == RULESETS
    for game in games:
        assert game["status"] == "ended"
        assert game["moves"] > 0
        assert game["effects"] > game["moves"], game


def test_go_needs_more_than_its_standard_library(folder: Path) -> None:
    """The tests do not play with it: the client validates unions with a third-party package."""
    lines(openapi_generator("go", "generated/go"), folder)
    sources = [path.read_text() for path in (folder / "generated/go").glob("*.go")]
    imported = {
        found
        for text in sources
        for found in re.findall(r'^\t"(\S+\.\S+/\S+)"$', text, re.MULTILINE)
    }
    assert imported == {"gopkg.in/validator.v2"}


def alone(folder: Path, name: str) -> None:
    """Configure the compiler for the program of one tool only."""
    for program in folder.glob("*.ts"):
        if program.stem not in {"whole", name.partition(" ")[0].replace("-", "_")}:
            program.unlink()


def lines(command: list[str], folder: Path) -> list[str]:
    """Run a command; return its output without the files that openapi-generator lists."""
    env = {
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "HOME": str(folder),
        "MYPYPATH": "generated/python",
    }
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    said = (done.stdout + done.stderr).splitlines()
    assert done.returncode == 0, "\n".join(said[-40:])
    usual = re.compile(r"\[main\] INFO .*|#.*|for server URL .*|Success: .*|\s*")
    return [line for line in said if not usual.fullmatch(line)]
