"""Write the page of components to build/components/: ``python -m tests.web.components``."""

from pathlib import Path

from tests.web.components.example import write

print(write(Path("build/components")))
