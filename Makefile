# What can be done here. The text after ## is what `make` alone prints.

PYTHON ?= $(firstword $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null </dev/null && command -v $$p; done) python3)
VENV ?= .venv
# More than cores: a good part of the tests waits for servers, leases and browsers.
WORKERS ?= 4
# Debian packages the tests need: a browser for the stories, fonts for what it shows, a reader of PDF files.
APT_TEST_PACKAGES ?= chromium-headless-shell fonts-dejavu-core poppler-utils
# Where `make setup-tools` puts the programs that some tests run.
TOOLS := .tools
# The folders of `make test-quick`: tests that start no server, no browser and no database.
QUICK := tests/artifacts tests/checks tests/determinism tests/reports tests/test_settings.py tests/test_values.py tests/test_wording.py

BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
# The tests of a module run in one process: its service, its browser and its database are started once.
PYTEST := $(BIN)/pytest -n $(WORKERS) --dist loadfile

.DEFAULT_GOAL := help
.PHONY: help setup setup-tools run test-quick test test-full endurance test-all test-guards-off test-research fuzz check audit release fmt bench docs documentation catalogues fresh screenshots new-check lock clean system-packages
MAKEFLAGS += --no-print-directory --silent
# Where it is set, each of the many processes of the tests compiles everything anew: a third of their time.
unexport PYTHONDONTWRITEBYTECODE

help: ## list what can be done
	echo "make …"
	sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1|\2/p' Makefile | while IFS='|' read -r name text; do printf '  %-16s %s\n' "$$name" "$$text"; done

setup: $(INSTALLED) ## make .venv with everything in it, the findable command too

# Touched again only when what is installed changes.
$(INSTALLED): requirements.lock pyproject.toml tools/install.sh
	tools/install.sh "$(PYTHON)" "$(VENV)"
	touch $@

setup-tools: setup system-packages ## install the outside programs that some tests run (Node, Java, OpenAPI tools) in .tools
	tools/external/install.sh "$(VENV)" "$(TOOLS)"

# Made anew when a page or its frame changes.
DOCUMENTATION := src/findable/web/documentation/index.html

documentation: $(DOCUMENTATION) ## make the documentation site, which the service shows at /docs

$(DOCUMENTATION): $(INSTALLED) $(shell find docs tools/documentation* CHANGELOG.md CONTRIBUTING.md SECURITY.md -type f -not -name '*.pyc')
	$(BIN)/python tools/documentation_site.py >/dev/null

run: setup documentation ## start the service at http://127.0.0.1:8000 with a small demonstration
	exec $(BIN)/python -m findable.demo

test-quick: setup ## test the rules alone, in less than a minute: no server, no browser, no database
	$(PYTEST) -q $(QUICK)

# While mypy works on one core, the other one compiles the tests: else each process of pytest would compile them all.
test: setup system-packages ## lint, then test each thing a change can break once: less than ten minutes
	$(BIN)/pytest --collect-only -q >/dev/null 2>&1 & $(MAKE) check || { wait; exit 1; }; wait
	$(PYTEST)

test-full: setup-tools check ## test everything: each browser width, database, fault and property, and guards proven red; before a release
	TIER=full $(PYTEST) -m "not endurance" --cov --cov-report=term
	$(MAKE) test-guards-off
	$(MAKE) test-research

# Hours: ten thousand reports killed, memory capped, new hostile inputs, a service worked for half an hour.
endurance: setup-tools ## run the tests that take hours: mass and kill runs, fuzzing, a soak; results go into the closing note of an issue
	TIER=full $(BIN)/pytest -s -m endurance
	$(MAKE) fuzz SECONDS=300
	$(BIN)/python bench/soak.py

test-all: test ## the same, then all tests on every other Python found (3.11 to 3.13)
	own=$$($(BIN)/python -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
	$(BIN)/python tools/interpreters.py | while read -r version path; do \
		[ "$$version" != "$$own" ] || continue; \
		echo "Python $$version"; \
		$(MAKE) test-one VENV=.venv-$$version PYTHON="$$path" </dev/null || exit 1; \
	done

# The tests alone, in the environment named by VENV.
.PHONY: test-one
test-one: setup
	$(PYTEST)

check: setup ## lint: ruff, mypy, import-linter, dependencies, dead code, plain English
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet || { echo "not formatted: make fmt"; exit 1; }
	$(BIN)/mypy --no-error-summary
	$(BIN)/lint-imports --no-logo --cache-dir .cache/import-linter > .cache/imports.txt || { cat .cache/imports.txt; exit 1; }
	$(BIN)/deptry src > .cache/deptry.txt 2>&1 || { cat .cache/deptry.txt; exit 1; }
	$(BIN)/deptry src tests tools bench --exclude '\.venv' --ignore DEP002,DEP004 --known-first-party tests \
		--known-first-party tools --known-first-party bench > .cache/deptry.txt 2>&1 || { cat .cache/deptry.txt; exit 1; }
	$(BIN)/python tools/dead_code.py
	$(BIN)/python tools/plain_english.py

audit: setup ## look through what is depended on and published: lock file, secrets, advisories; bill of materials in build/
	$(BIN)/python tools/audit.py $(ARGS)

release: setup ## build sdist and wheel into dist/ and check them: metadata, bill of materials, upgrade from the last tag (RELEASING.md)
	$(BIN)/python tools/release.py $(ARGS)

fmt: setup ## format the code and mend what ruff can mend
	$(BIN)/ruff check --quiet --fix-only
	$(BIN)/ruff format --quiet

# Part of `make test-full`; some of them: NAMES=csv,ports.
test-guards-off: setup
	$(BIN)/python tools/guards_off.py $(NAMES)

# Scripts of a reader, which `make test` leaves out. Part of `make test-full`.
test-research: setup
	$(PYTEST) research

# Part of `make endurance`: each property for SECONDS=60; some of them: ONLY=sitemap.
SECONDS ?= 60
fuzz: setup
	FUZZ_SECONDS=$(SECONDS) $(PYTEST) -p no:randomly tests/fuzz $(if $(ONLY),-k "$(ONLY)")

bench: setup ## measure: prints JSON; arguments in ARGS
	$(BIN)/python bench/run.py $(ARGS)

docs: setup ## write the generated pages of docs/ anew
	$(BIN)/python tools/generate_docs.py

catalogues: setup ## read the texts in the code anew into the gettext catalogues, and compile them
	$(BIN)/python tools/catalogue.py

screenshots: setup ## take the pictures of docs/images/ anew; needs Chromium
	$(BIN)/python tools/screenshots.py

fresh: setup ## regenerate everything that is generated: docs, catalogues, snapshots, digests of reports
	$(BIN)/python tools/catalogue.py
	$(BIN)/python tools/generate_docs.py
	UPDATE_SNAPSHOTS=1 $(BIN)/pytest -q tests/cli/test_snapshots.py
	UPDATE_DIGESTS=1 $(BIN)/pytest -q tests/determinism

new-check: setup ## lay out a check and its tests: make new-check ID=category/the-id
	$(BIN)/python tools/new_check.py "$(ID)"

# The part of requirements.lock that an installation needs, with what builds the project: docs/how-to/publish.md.
LOCKED = echo hatchling | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	--constraints requirements.lock pyproject.toml -

lock: setup ## write requirements.lock after pyproject.toml; everything newer with UPGRADE=--upgrade
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
		--all-extras --group dev $(UPGRADE) --output-file requirements.lock pyproject.toml
	$(LOCKED) --output-file packaging/command.lock
	$(LOCKED) --extra crawl --output-file packaging/crawl.lock
	$(LOCKED) --extra service --extra postgresql --extra mcp --extra oidc --output-file packaging/slim.lock
	$(LOCKED) --extra service --extra pdf --extra postgresql --extra mcp --extra oidc --output-file packaging/service.lock

clean: ## remove environments, caches and builds
	rm -rf .venv .venv-* $(TOOLS) .cache .hypothesis build dist

system-packages:
	tools/system_packages.sh $(APT_TEST_PACKAGES)
