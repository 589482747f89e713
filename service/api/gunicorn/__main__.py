"""The web processes: what ``lonja web`` and ``lonja serve`` run."""

from gunicorn.app.wsgiapp import WSGIApplication  # type: ignore[import-untyped]


class Application(WSGIApplication):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn in whatever folder it is started."""

    def chdir(self) -> None:
        """Leave the path alone: gunicorn would put the working folder before Lonja's packages."""


if __name__ == "__main__":
    Application().run()
