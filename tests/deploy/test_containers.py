"""Checks of the image and of Compose that need no container daemon."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import jsonschema_rs
import orjson
import pytest
import yaml

from service import settings
from service.version import VERSION
from tests.deploy.programs import needed
from tests.deploy.proxies import DEPLOY
from tests.running import ROOT

SCHEMA = Path(__file__).parent / "compose-spec.json"
"""The JSON Schema of the Compose specification, from its repository on 2026-06-23 (170098b)."""

COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
CONTAINERFILE = (DEPLOY / "Containerfile").read_text()
OF_LONJA = [name for name, each in SERVICES.items() if "env_file" in each]


def test_compose_is_as_its_specification_says() -> None:
    jsonschema_rs.Draft7Validator(orjson.loads(SCHEMA.read_bytes())).validate(COMPOSE)


def test_the_image_is_of_this_version() -> None:
    built = {each["image"] for each in SERVICES.values() if "build" in each}
    assert built == {f"lonja:{VERSION}"}
    assert f"lonja:{VERSION}" in CONTAINERFILE


def test_images_of_others_have_a_version() -> None:
    others = {each["image"] for each in SERVICES.values()} - {f"lonja:{VERSION}"}
    assert others
    for image in others:
        assert re.fullmatch(r"[\w./-]+:v?\d+(\.\d+)+", image)


def test_nobody_takes_all_of_the_memory_and_the_mark_follows_from_what_valkey_has() -> None:
    assert [name for name, each in SERVICES.items() if "mem_limit" not in each] == []
    command = SERVICES["valkey"]["command"]
    most, limit = command[command.index("--maxmemory") + 1], SERVICES["valkey"]["mem_limit"]
    (most_gb,), (limit_gb,) = (re.findall(r"^(\d+)gb?$", size) for size in (most, limit))
    assert int(most_gb) < int(limit_gb)


@pytest.mark.parametrize("name", SERVICES)
def test_no_container_writes_to_its_root_or_gains_rights(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert not service.get("privileged")


@pytest.mark.parametrize("name", OF_LONJA)
def test_the_variables_are_settings_that_can_be_used(name: str) -> None:
    service = SERVICES[name]
    others = {"PROMETHEUS_MULTIPROC_DIR"}
    assert service["environment"].keys() - others <= {row.name for row in settings.describe()}
    found = settings.load(service["environment"])
    seconds = int(service["stop_grace_period"].removesuffix("s"))
    assert seconds >= found.drain_seconds + 20


def test_the_one_proxy_is_believed() -> None:
    (network,) = SERVICES["proxy"]["networks"].values()
    for name in OF_LONJA:
        assert SERVICES[name]["environment"]["LONJA_TRUSTED_PROXIES"] == network["ipv4_address"]


def test_what_a_container_writes_is_its_user_s() -> None:
    """A volume gets the owner of the folder in the image; its data folder stays to be written."""
    (folder,) = re.findall(r"LONJA_DATA_DIR=(\S+)", CONTAINERFILE)
    (made,) = re.findall(
        r"install --directory --mode 0700 --owner lonja --group lonja (.*)", CONTAINERFILE
    )
    for name in OF_LONJA:
        for volume in SERVICES[name].get("volumes", []):
            source, target, *mode = volume.split(":")
            assert source.startswith("./") or target in made.split(), name
            assert target != folder or mode != ["ro"], name


def test_files_that_containers_read_are_there() -> None:
    for service in SERVICES.values():
        for volume in service.get("volumes", []):
            source = volume.partition(":")[0]
            if source.startswith("./"):
                assert (DEPLOY / source).exists(), source


def test_only_the_proxy_is_reached_from_outside() -> None:
    published = {
        name: [port for port in each.get("ports", []) if not port.startswith("127.0.0.1:")]
        for name, each in SERVICES.items()
    }
    assert [name for name, ports in published.items() if ports] == ["proxy"]


def test_prometheus_takes_the_scrapes_of_all_containers() -> None:
    file = DEPLOY / "scrapes.yml"
    scrapes = yaml.safe_load(file.read_text())
    asked = {
        name for job in scrapes["scrape_configs"] for name in job["dns_sd_configs"][0]["names"]
    }
    assert asked == set(OF_LONJA) - {"log"}  # whose figures the web processes tell
    subprocess.run([needed("promtool"), "check", "config", "--syntax-only", file], check=True)


def test_the_image_is_built_of_what_is_there() -> None:
    hadolint = Path(sys.executable).with_name("hadolint")
    file = DEPLOY / "Containerfile"
    subprocess.run([hadolint, "--failure-threshold", "info", file], check=True)
    ignored = (DEPLOY / "Containerfile.dockerignore").read_text()
    copied: list[str] = []
    for sources in re.findall(r"^COPY (?!--)(.*) \S+$", CONTAINERFILE, re.MULTILINE):
        copied += sources.split()
        for source in sources.split():
            assert (ROOT / source).exists(), source
            assert f"!{re.sub('pip-.*', 'pip-*.whl', source)}\n" in ignored, source
    # The wheel is built in the image, of more than the packages.
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"][
        "targets"
    ]
    for carried in build["wheel"]["force-include"]:
        assert any(Path(carried).is_relative_to(source) for source in copied), carried
