"""Writes the guides as a folder of pages that any web server can show.

    python -m tools.site FOLDER

The pages are those that the service has at ``/docs``; all links in them are relative.
"""

import sys
from pathlib import Path

from service.api import openapi
from service.guides.site import Site, files_from


def write(folder: Path) -> int:
    """Write the site into a folder; return the number of files."""
    count = 0
    for path, content in Site(openapi.build, files_from).files():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        count += 1
    return count


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "dist/site")
    print(f"{target}: {write(target)} files")
