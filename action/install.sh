#!/usr/bin/env bash
# Install the command of this revision into a virtual environment, with every package checked against its hash.
set -euo pipefail
project=$(cd -- "$GITHUB_ACTION_PATH/.." && pwd)
environment="$RUNNER_TEMP/findable/venv"
python3 -m venv "$environment"
"$environment/bin/pip" install --quiet --disable-pip-version-check --require-hashes --requirement "$project/packaging/command.lock"
"$environment/bin/pip" install --quiet --disable-pip-version-check --no-deps --no-build-isolation "$project"
