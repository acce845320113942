"""Run the command line with ``python -m findable``."""

from findable.cli.main import main

main()
