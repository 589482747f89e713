"""The web processes, as ``lonja web`` and ``lonja serve`` run them."""

from gunicorn.app.wsgiapp import WSGIApplication  # type: ignore[import-untyped]


class Application(WSGIApplication):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn, independent of the folder it is started in."""

    def chdir(self) -> None:
        """Do nothing: gunicorn would put the working folder before Lonja's packages in sys.path."""


if __name__ == "__main__":
    Application().run()
