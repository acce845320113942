"""``python -m findable``."""

from findable.cli.main import main

main()
