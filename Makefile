# The tasks of this project. `make` without a target prints the texts after ##.

PYTHON ?= $(firstword $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null </dev/null && command -v $$p; done) python3)
VENV ?= .venv
# More than the number of cores, because many tests wait for servers, leases and browsers.
WORKERS ?= 4
# Debian packages that the tests need: a browser, curl for the documented requests, fonts, and a PDF reader.
APT_TEST_PACKAGES ?= chromium-headless-shell curl fonts-dejavu-core poppler-utils
# Directory of the programs that `make setup-tools` installs for some tests.
TOOLS := .tools
# Tests of `make test-quick`, which start no server, browser or database.
QUICK := tests/artifacts tests/capture tests/checks tests/determinism tests/formats tests/reports tests/test_settings.py tests/test_values.py tests/test_wording.py

BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
# Compiled by the build of the package; again when a translation changes.
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard src/findable/locale/*/LC_MESSAGES/*.po))
# All tests of a module run in one process, so that its service, browser and database are started once.
PYTEST := $(BIN)/pytest -n $(WORKERS) --dist loadfile

.DEFAULT_GOAL := help
.PHONY: help setup setup-tools run test-quick test test-full endurance test-all test-guards-off test-research fuzz check audit release fmt bench docs documentation catalogues components fresh screenshots new-check lock clean system-packages
MAKEFLAGS += --no-print-directory --silent
# If it is set, each test process compiles all modules again, which takes a third of its time.
unexport PYTHONDONTWRITEBYTECODE

help: ## list the targets
	echo "make …"
	sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1|\2/p' Makefile | while IFS='|' read -r name text; do printf '  %-16s %s\n' "$$name" "$$text"; done

setup: $(INSTALLED) $(CATALOGUES) ## install the findable command and the development tools in .venv

# Installed again when the lock file, pyproject.toml or the script changes.
$(INSTALLED): requirements.lock pyproject.toml hatch_build.py tools/install.sh
	tools/install.sh "$(PYTHON)" "$(VENV)"
	touch $@

$(CATALOGUES): %.mo: %.po | $(INSTALLED)
	$(BIN)/python hatch_build.py

setup-tools: setup system-packages ## install external programs for some tests (Node, Java, OpenAPI tools) in .tools
	tools/external/install.sh "$(VENV)" "$(TOOLS)"

# Built again when a page or the template changes.
DOCUMENTATION := src/findable/web/documentation/index.html

documentation: $(DOCUMENTATION) ## build the documentation site, which the service shows at /docs

$(DOCUMENTATION): $(INSTALLED) $(shell find docs tools/documentation* CHANGELOG.md CONTRIBUTING.md SECURITY.md -type f -not -name '*.pyc')
	$(BIN)/python tools/documentation_site.py >/dev/null

run: setup documentation ## start the service at http://127.0.0.1:8000 with a demonstration site
	exec $(BIN)/python -m findable.demo

test-quick: setup ## test the checks and scores only, in less than a minute
	$(PYTEST) -q $(QUICK)

test: setup system-packages ## run the linters and the tests of every change, in less than ten minutes
	$(MAKE) -j2 types compiled lints
	$(PYTEST)

test-full: setup-tools check ## run all tests, including every browser width, database and fault; before a release
	TIER=full $(PYTEST) -m "not endurance" --cov --cov-report=term
	$(MAKE) test-guards-off
	$(MAKE) test-research

# Takes hours: ten thousand reports with killed workers, limited memory, new hostile inputs, half an hour of load.
endurance: setup-tools ## run the tests that take hours: mass runs, killed workers, fuzzing, load
	TIER=full $(BIN)/pytest -s -m endurance
	$(MAKE) fuzz SECONDS=300
	$(BIN)/python bench/soak.py

test-all: test ## run make test, then the tests on every other Python found (3.11 to 3.14)
	own=$$($(BIN)/python -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
	$(BIN)/python tools/interpreters.py | while read -r version path; do \
		[ "$$version" != "$$own" ] || continue; \
		echo "Python $$version"; \
		$(MAKE) test-one VENV=.venv-$$version PYTHON="$$path" </dev/null || exit 1; \
	done

# Tests without linters, in the environment VENV.
.PHONY: test-one
test-one: setup
	$(PYTEST)

check: setup ## run the linters: ruff, mypy, import-linter, dependencies, dead code, plain English, class names
	$(MAKE) -j2 types lints

# Two processes at once: mypy takes as long as the other linters and the compilation of the tests.
.PHONY: types compiled lints
types:
	$(BIN)/mypy --no-error-summary

# So that each test process need not do it.
compiled:
	$(BIN)/pytest --collect-only -q >/dev/null 2>&1 || true

lints:
	mkdir -p .cache
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet || { echo "not formatted: make fmt"; exit 1; }
	$(BIN)/lint-imports --no-logo --cache-dir .cache/import-linter > .cache/imports.txt || { cat .cache/imports.txt; exit 1; }
	$(BIN)/deptry src > .cache/deptry.txt 2>&1 || { cat .cache/deptry.txt; exit 1; }
	$(BIN)/deptry src tests tools bench --exclude '\.venv' --ignore DEP002,DEP004 --known-first-party tests \
		--known-first-party tools --known-first-party bench --known-first-party hatch_build > .cache/deptry.txt 2>&1 || { cat .cache/deptry.txt; exit 1; }
	$(BIN)/python tools/dead_code.py
	$(BIN)/python tools/plain_english.py
	$(BIN)/python tools/class_names.py

audit: setup ## check dependencies and files for secrets and advisories; write a bill of materials to build/
	$(BIN)/python tools/audit.py $(ARGS)

release: setup ## build and verify sdist and wheel in dist/ (RELEASING.md)
	$(BIN)/python tools/release.py $(ARGS)

fmt: setup ## format the code and fix what ruff can fix
	$(BIN)/ruff check --quiet --fix-only
	$(BIN)/ruff format --quiet

# Part of `make test-full`. NAMES=csv,ports runs some of them.
test-guards-off: setup
	$(BIN)/python tools/guards_off.py $(NAMES)

# Tests of the research scripts. Part of `make test-full`, not of `make test`.
test-research: setup
	$(PYTEST) research

# Part of `make endurance`: each property for SECONDS=60. ONLY=sitemap runs some of them.
SECONDS ?= 60
fuzz: setup
	FUZZ_SECONDS=$(SECONDS) $(PYTEST) -p no:randomly tests/fuzz $(if $(ONLY),-k "$(ONLY)")

bench: setup ## run the benchmarks and print JSON; arguments in ARGS
	$(BIN)/python bench/run.py $(ARGS)

docs: setup ## regenerate the generated pages of docs/
	$(BIN)/python tools/generate_docs.py

catalogues: setup ## extract texts from the code into the gettext catalogues
	$(BIN)/python tools/catalogue.py

screenshots: setup ## retake the screenshots in docs/images/; needs Chromium
	$(BIN)/python -m tools.screenshots

components: setup ## write build/components/index.html, the page with every component of the web interface in every state
	$(BIN)/python -m tests.web.components

fresh: setup ## regenerate all generated files: docs, catalogues, snapshots, digests of reports
	$(BIN)/python tools/catalogue.py
	$(BIN)/python tools/generate_docs.py
	UPDATE_SNAPSHOTS=1 $(BIN)/pytest -q tests/cli/test_snapshots.py
	UPDATE_DIGESTS=1 $(BIN)/pytest -q tests/determinism

new-check: setup ## create the files of a new check: make new-check ID=category/the-id
	$(BIN)/python tools/new_check.py "$(ID)"

# The part of requirements.lock that an installation needs, including the build backend (docs/how-to/publish.md).
LOCKED = echo hatchling | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	--constraints requirements.lock pyproject.toml -

lock: setup ## update the lock files from pyproject.toml; UPGRADE=--upgrade upgrades all packages
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
		--all-extras --group dev $(UPGRADE) --output-file requirements.lock pyproject.toml
	$(LOCKED) --extra crawl --output-file packaging/command.lock
	$(LOCKED) --extra service --extra postgresql --extra mcp --extra oidc --extra xlsx --output-file packaging/slim.lock
	$(LOCKED) --extra service --extra pdf --extra postgresql --extra mcp --extra oidc --extra xlsx --extra parquet --output-file packaging/service.lock

clean: ## remove environments, caches and builds
	rm -rf .venv .venv-* $(TOOLS) .cache .hypothesis build dist

system-packages:
	tools/system_packages.sh $(APT_TEST_PACKAGES)
