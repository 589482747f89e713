"""Firefox for Playwright, over WebDriver BiDi: the protocol that browsers have in common.

Playwright sends the colours of pages in a command that Firefox ESR does not know yet. So it starts
this program in the place of Firefox, which starts Firefox with the same arguments, passes on what
the two say, and answers that command; pages then have the colours of Firefox. Once Firefox ESR
knows the command, Playwright can start it directly.
"""

import asyncio
import os
import re
import sys
from functools import partial
from typing import Any

import click
import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve

PATH = "LONJA_FIREFOX"
"""The variable that has the path of Firefox."""
LISTENS = "WebDriver BiDi listening on "
UNKNOWN = "emulation.setMediaFeaturesOverride"
LOCAL: dict[str, Any] = {"max_size": None, "compression": None, "ping_interval": None}
"""Options of connections within a machine, whose messages have any size."""


async def run(path: str, arguments: list[str]) -> int:
    """Run Firefox until it ends, and return its exit code."""
    pipe = asyncio.subprocess.PIPE
    browser = await asyncio.create_subprocess_exec(path, *arguments, stderr=pipe)
    assert browser.stderr is not None
    address = await _address(browser.stderr)
    async with serve(partial(_relay, address), "127.0.0.1", 0, **LOCAL) as server:
        port = server.sockets[0].getsockname()[1]
        click.echo(f"{LISTENS}ws://127.0.0.1:{port}", err=True)
        async for line in browser.stderr:
            sys.stderr.buffer.write(line)
        return await browser.wait()


async def _address(errors: asyncio.StreamReader) -> str:
    """Return the address at which Firefox listens, as soon as it tells it."""
    async for line in errors:
        if told := re.search(rf"{LISTENS}(ws://\S+)", line.decode()):
            return told[1]
        sys.stderr.buffer.write(line)
    raise SystemExit("Firefox has ended")


async def _relay(address: str, near: ServerConnection) -> None:
    assert near.request is not None
    async with connect(address + near.request.path, **LOCAL) as far:
        answers = asyncio.create_task(_pass_answers(far, near))
        async for message in near:
            command = orjson.loads(message)
            if command["method"] == UNKNOWN:
                answer = {"type": "success", "id": command["id"], "result": {}}
                await near.send(orjson.dumps(answer).decode())
            else:
                await far.send(message)
        await far.close()
        await answers


async def _pass_answers(far: ClientConnection, near: ServerConnection) -> None:
    async for message in far:
        await near.send(message)
    await near.close()


if __name__ == "__main__":
    sys.exit(asyncio.run(run(os.environ[PATH], sys.argv[1:])))
