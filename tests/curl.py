"""The options of curl that the commands in docs/ use, for machines without curl."""

import argparse
import http.client
import os
import signal
import sys
from urllib.parse import urlsplit

TIME_IS_UP = 28
"""The exit code of curl when its time is up."""


def main() -> None:
    """Send the request, and print the answer as it arrives."""
    parser = argparse.ArgumentParser()
    parser.add_argument("-s", action="store_true")
    parser.add_argument("-N", action="store_true")
    parser.add_argument("-i", action="store_true", help="show the head, too")
    parser.add_argument("-m", type=float, default=0.0, help="seconds at most")
    parser.add_argument("-w", default="", help="is written after the answer")
    parser.add_argument("-H", action="append", default=[])
    parser.add_argument("-d", help="the body of a POST")
    parser.add_argument("url")
    asked = parser.parse_args()
    signal.signal(signal.SIGALRM, lambda *_: os._exit(TIME_IS_UP))
    signal.setitimer(signal.ITIMER_REAL, asked.m)
    url = urlsplit(asked.url)
    connection = http.client.HTTPConnection(url.netloc)
    connection.request(
        "GET" if asked.d is None else "POST",
        url.path + (f"?{url.query}" if url.query else ""),
        None if asked.d is None else asked.d.encode(),
        {name: value.strip() for name, _, value in (line.partition(":") for line in asked.H)},
    )
    answer = connection.getresponse()
    out = sys.stdout.buffer
    if asked.i:
        out.write(f"HTTP/1.1 {answer.status} {answer.reason}\n{answer.headers}".encode())
    while data := answer.read1(65_536):
        out.write(data)
        out.flush()
    out.write(asked.w.replace("\\n", "\n").encode())


if __name__ == "__main__":
    main()
