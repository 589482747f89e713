"""The packages of the project's games; an installation may add games of its own by dotted name."""

PACKAGES = (
    "rules.santiago_de_cuba",
    "rules.macao",
    "rules.manila",
    "rules.plus_ultra",
    "rules.ragusa",
)
