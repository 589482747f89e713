"""The shells that complete the words of commands, and how each asks for completions."""

from click.shell_completion import (
    BashComplete,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
)

VARIABLE = "_LONJA_COMPLETE"
"""The variable through which a shell asks for completions.

Click derives its name from the program's name.
"""


class _Bash(BashComplete):
    """Bash. It splits ``--lang=es`` into three words; the second word, ``=``, is not a value."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the complete words, and the word that is to be completed."""
        words, begun = super().get_completion_args()
        return [word for word in words if word != "="], begun


SHELLS: dict[str, type[ShellComplete]] = {"bash": _Bash, "zsh": ZshComplete, "fish": FishComplete}


def register() -> None:
    """Make click use these classes when a shell asks for completions."""
    for each in SHELLS.values():
        add_completion_class(each)
