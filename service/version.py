"""The service's version, from its distribution."""

from importlib.metadata import PackageNotFoundError, version


def _version() -> str:
    try:
        return version("lonja")
    except PackageNotFoundError:  # a checkout that is not installed
        return "0.3.0.dev0"


VERSION = _version()
