"""The packages of this project's games; an installation may add others."""

PACKAGES = (
    "rules.santiago_de_cuba",
    "rules.macao",
    "rules.manila",
    "rules.plus_ultra",
    "rules.ragusa",
)
