"""The games of the project, one a line; an installation may add its own by dotted name."""

PACKAGES = (
    "rules.santiago_de_cuba",
    "rules.macao",
    "rules.manila",
    "rules.plus_ultra",
    "rules.ragusa",
)
