"""Makes a release by one command.

    make release VERSION=0.3.0

It needs a clean checkout of ``main`` whose tests have passed. It

1. writes the new version into every file that names the version, and gives the section
   *Unreleased* of CHANGELOG.md its number and day,
2. keeps the wheel in tests/upgrades, commits, and tags the commit with the bare version,
3. builds into ``dist/`` what is published: wheels of the product, of its client and of the
   environments for learners, the sources, the kit for pages, the list of packages (CycloneDX), the
   release's notes, and checksums of all of these,
4. names the commit in CHANGELOG.md, and sets the next version, with ``.dev0``.

It pushes and publishes nothing, because a person has to look at the release first. If a step fails,
the commits and the tag are removed.
"""

import hashlib
import re
import shutil
import subprocess
import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import click
from packaging.version import InvalidVersion, Version

from tests.running import ROOT

NAMED_IN = (
    "pyproject.toml",
    "service/version.py",
    "clients/python/lonja_client/version.py",
    "deploy/Containerfile",
    "deploy/compose.yaml",
)
"""Files that name the version."""
KIT = "clients/js/package.json"
"""The file that has the version in npm's form, such as ``0.3.0-dev.0``."""
CHANGELOG = "CHANGELOG.md"
UNRELEASED = "## [Unreleased]\n"
KEPT = "tests/upgrades"
DIST = "dist"
SUMS = "SHA256SUMS"


class Repository:
    """A checkout from which a release is made.

    If a command fails, ``click.ClickException`` is raised with the command's output.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.dist = root / DIST

    def run(self, *command: str, folder: Path | None = None) -> str:
        """Run a command in the checkout, or in ``folder``; return its output."""
        done = subprocess.run(
            command, cwd=folder or self.root, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise click.ClickException(f"{' '.join(command)}\n{done.stdout}{done.stderr}".rstrip())
        return done.stdout.strip()

    @property
    def version(self) -> Version:
        """The version that the checkout names."""
        return Version(tomllib.loads(self._text("pyproject.toml"))["project"]["version"])

    def write(self, name: str, text: str) -> None:
        """Replace the text of a file."""
        (self.root / name).write_text(text)

    def carry(self, version: Version) -> None:
        """Write the version into every file that names it, the API's description included."""
        old = str(self.version)
        for name in NAMED_IN:
            self.write(name, _replaced(name, self._text(name), old, str(version)))
        self.write(KIT, _replaced(KIT, self._text(KIT), _for_npm(Version(old)), _for_npm(version)))
        # The API's description takes its version from the installed package.
        self.pip("install", "--no-deps", "--no-build-isolation", "--editable", ".")
        self.run(str(Path(sys.executable).with_name("lonja")), "openapi", "--write")

    def _text(self, name: str) -> str:
        return (self.root / name).read_text()

    def date(self, version: Version) -> str:
        """Give the section *Unreleased* of the changelog its version and day; return its text."""
        text = self._text(CHANGELOG)
        changes = _section(text, "Unreleased")
        if not changes:
            raise click.ClickException(f"{CHANGELOG} names no unreleased change.")
        heading = f"{UNRELEASED}\n## [{version}] - {datetime.now(UTC).date()}\n"
        self.write(CHANGELOG, text.replace(UNRELEASED, heading, 1))
        return changes

    def name_commit(self, version: Version, commit: str) -> None:
        """Write a release's commit below its heading in CHANGELOG.md."""
        heading = re.compile(rf"^(## \[{re.escape(str(version))}\].*\n)", re.MULTILINE)
        self.write(
            CHANGELOG, heading.sub(rf"\1\nCommit {commit}.\n", self._text(CHANGELOG), count=1)
        )

    def commit(self, why: str) -> str:
        """Commit all changes; return the id of the commit."""
        self.run("git", "add", "--all")
        self.run("git", "commit", "--quiet", "--message", why)
        return self.run("git", "rev-parse", "HEAD")

    def pip(self, *arguments: str) -> None:
        """Run the pip that the project pins."""
        (carried,) = (self.root / "tools").glob("pip-*.whl")
        self.run(sys.executable, str(carried / "pip"), "--disable-pip-version-check", *arguments)

    def wheel(self, source: str, into: Path) -> None:
        """Build the wheel of the project in the folder ``source`` of the checkout."""
        self.pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(into), source)

    def sources(self, into: Path) -> None:
        """Build the archive of the sources."""
        self.run(
            sys.executable,
            "-m",
            "hatchling",
            "build",
            "--target",
            "sdist",
            "--directory",
            str(into),
        )

    def kit(self, into: Path) -> None:
        """Build the npm package of the kit."""
        self.run(sys.executable, "-m", "tools.kit")
        node = Path(sys.executable).parent
        pack = (str(node / "npm"), "pack", "--silent", "--pack-destination", str(into))
        self.run(*pack, folder=self.root / "clients/js")

    def parts(self, version: Version, into: Path) -> None:
        """Write the list of the locked packages of the release, as CycloneDX."""
        self.run(
            sys.executable, "-m", "cyclonedx_py", "requirements", "requirements.lock",
            "--pyproject", "pyproject.toml", "--output-reproducible", "--output-format", "JSON",
            "--output-file", str(into / f"lonja-{version}.cdx.json"),
        )  # fmt: skip


def release(repository: Repository, version: Version) -> None:
    """Make the release from a clean checkout.

    Raises:
        click.ClickException: a step failed; the checkout is then as before.
    """
    _refuse(repository, version)
    began = repository.run("git", "rev-parse", "HEAD")
    try:
        repository.carry(version)
        notes = repository.date(version)
        repository.wheel(".", repository.root / KEPT)
        commit = repository.commit(f"Release {version}")
        repository.run("git", "tag", "--annotate", "--message", f"Lonja {version}", str(version))
        _publishable(repository, version, notes)
        repository.name_commit(version, commit)
        repository.carry(_next(version))
        repository.commit(f"Carry the version after {version}")
    except BaseException:
        if str(version) in repository.run("git", "tag").split():
            repository.run("git", "tag", "--delete", str(version))
        repository.run("git", "reset", "--quiet", "--hard", began)
        repository.run("git", "clean", "--quiet", "--force", KEPT)
        shutil.rmtree(repository.dist, ignore_errors=True)
        raise


def _refuse(repository: Repository, version: Version) -> None:
    if version.is_prerelease or version.is_postrelease or version.local:
        raise click.ClickException(f"{version} is no version of a release: 0.3.0 would be one.")
    if changed := repository.run("git", "status", "--porcelain"):
        raise click.ClickException(f"The checkout has changes that are not committed:\n{changed}")
    if str(version) in repository.run("git", "tag").split():
        raise click.ClickException(f"{version} was released already.")
    if version <= repository.version:
        raise click.ClickException(f"{version} does not come after {repository.version}.")


def _publishable(repository: Repository, version: Version, notes: str) -> None:
    """Build into ``dist/`` everything that is published."""
    dist = repository.dist
    shutil.rmtree(dist, ignore_errors=True)
    dist.mkdir()
    repository.wheel(".", dist)
    repository.wheel("clients/python", dist)
    repository.wheel("./learning", dist)
    repository.sources(dist)
    repository.kit(dist)
    repository.parts(version, dist)
    (dist / "NOTES.md").write_text(f"# Lonja {version}\n\n{notes}\n")
    sums = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(dist.iterdir())
    ]
    (dist / SUMS).write_text("".join(sums))


def _replaced(name: str, text: str, old: str, new: str) -> str:
    """Return ``text`` with ``new`` instead of ``old``, which must occur once."""
    if text.count(old) != 1:
        raise click.ClickException(f"{name} names {old} {text.count(old)} times, not once.")
    return text.replace(old, new)


def _section(changelog: str, name: str) -> str:
    """Return the text below a version's heading in CHANGELOG.md."""
    found = re.search(rf"^## \[{name}\]\n(.*?)(?=^## \[|\Z)", changelog, re.MULTILINE | re.DOTALL)
    return found[1].strip() if found else ""


def _next(version: Version) -> Version:
    return Version(f"{version.major}.{version.minor + 1}.0.dev0")


def _for_npm(version: Version) -> str:
    """Return the version in npm's form (semver.org, 2.0.0)."""
    return version.base_version + (f"-dev.{version.dev}" if version.is_devrelease else "")


@click.command()
@click.argument("version")
def main(version: str) -> None:
    """Release VERSION: commits, a tag, and the published files in dist/."""
    try:
        wanted = Version(version)
    except InvalidVersion as error:
        raise click.ClickException(str(error)) from None
    repository = Repository(ROOT)
    release(repository, wanted)
    for path in sorted(repository.dist.iterdir()):
        click.echo(f"{path.stat().st_size:>12,}  {path.relative_to(ROOT)}")
    click.echo(
        f"Released {wanted}: look at `git log -2`, then push main and the tag, and publish dist/."
    )


if __name__ == "__main__":
    main()
