# The commands of this project. `make` alone lists them; CONTRIBUTING.md says more.

VENV := .venv
BIN := $(VENV)/bin
# What was set up with one interpreter stays with it.
PYTHON ?= $(or $(realpath $(BIN)/python),python3)
PORT ?= 8000

# Images and CI set it: each of the many processes that the tests start would compile everything anew.
export PYTHONDONTWRITEBYTECODE :=

# The sources of the pages, in TypeScript.
CLIENT := service/web/client
# The boards of games, in TypeScript too, beside their rules.
BOARDS = $(abspath $(wildcard $(foreach kind,ts tsx css,rules/*/aids/*.$(kind))))
# What the tests need of npm's packages: the sources', and what generates clients in TypeScript.
PACKAGES := $(CLIENT)/node_modules/.stamp tests/clients/typescript/node_modules/.stamp
# What the campaign `clients` needs besides: generators that the project has no other use for.
MATRIX := tests/clients/matrix

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup setup-dev serve unit test test-all campaign lint lint-client format client kit pictures sheets site release bench lock clean

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 12

setup: $(VENV)/.setup ## make .venv with what `make serve` needs (PYTHON= picks the interpreter)

setup-dev: $(VENV)/.setup-dev ## the same with the test and lint tools

serve: setup ## run everything on http://127.0.0.1:8000 (PORT= picks another port)
	@exec $(BIN)/lonja serve --port $(PORT)

# No store and no browser: each of these answers in a second.
UNIT := tests/rules $(addprefix tests/service/,catalogue live outbound records/test_leaves.py skill tlog process/test_logs.py \
  process/test_strands.py test_addresses.py test_problems.py test_redis_urls.py test_text.py \
  tournaments/test_bands.py tournaments/test_course.py tournaments/test_formats.py tournaments/test_plan.py \
  tournaments/test_ratings.py tournaments/test_statistics.py webhooks/test_course.py api/test_openapi.py)

# A test that asks for a store gets none.
unit: setup-dev $(CLIENT)/node_modules/.stamp ## run what needs no store and no browser: rules, formats, schemas, TypeScript; half a minute
	@LONJA_REDIS_SERVER=none $(BIN)/pytest -n 2 $(UNIT)
	@cd $(CLIENT) && $(NODE) node --test --test-isolation=none

# Four workers on two cores: half of the time tests wait, for processes that start, end or are killed.
# All of them together raise each sentence that the verifiers have; a part of them need not.
# In a new checkout, one process compiles the tests before, or else each of the workers would.
test: setup-dev $(PACKAGES) $(CLIENT)/node_modules/.stamp ## run the tests, but not the campaigns
	@[ -d tests/__pycache__ ] || $(BIN)/pytest --quiet --collect-only > /dev/null || true # what fails is told by the run itself
	@$(BIN)/pytest -n 4 --dist worksteal --sentences

CAMPAIGNS := alerts attacks bands bots buckets client clients containers crashes drawings embed failover fairness faults firefox follower forgeries fuzz hostile hosts image judge kills laws learners live long machines map mutants pace pictures playouts points recomputed release releases sandbox screens splices starved strength terminal tours unit versions webhooks witnesses years

campaign: setup-dev $(PACKAGES) $(if $(filter clients,$(or $(NAME),$(CAMPAIGNS))),$(MATRIX)/node_modules/.stamp $(MATRIX)/.venv/.stamp) ## run the campaign NAME=, or all; one that was stopped goes on (tests/campaigns.md)
	@for name in $(or $(NAME),$(CAMPAIGNS)); do $(BIN)/pytest -n 2 --campaign=$$name || exit; done

test-all: test campaign ## run every test, campaigns too: takes hours

lint: setup-dev tools/node_modules/.stamp $(CLIENT)/api/schema.d.ts ## style, types, borders between packages, lines of games, the OpenAPI document, and the pages' sources
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.game_lines
	$(BIN)/lonja openapi --check
	$(NODE) node tools/node_modules/.bin/redocly lint --config redocly.yaml openapi.yaml
	$(NODE) node tools/node_modules/.bin/spectral lint --fail-severity warn openapi.yaml asyncapi.yaml
	@$(MAKE) --no-print-directory lint-client

lint-client: $(CLIENT)/api/schema.d.ts ## the same for the pages' sources alone
	cd $(CLIENT) && $(NODE) node_modules/.bin/biome ci --error-on-warnings . $(BOARDS)
	cd $(CLIENT) && $(NODE) node node_modules/.bin/tsc && $(NODE) node node_modules/.bin/tsc -p offline
	$(NODE) node $(CLIENT)/build.mjs --check

format: setup-dev $(CLIENT)/api/schema.d.ts ## rewrite the code in the project's style
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	cd $(CLIENT) && $(NODE) node_modules/.bin/biome check --write . $(BOARDS)

client: $(CLIENT)/node_modules/.stamp ## build what service/web/static has of service/web/client, and the games' boards
	$(NODE) node $(CLIENT)/build.mjs

kit: $(CLIENT)/node_modules/.stamp ## build the package that pages of others embed boards with: clients/js
	@$(BIN)/python -m tools.kit

pictures: setup-dev $(CLIENT)/node_modules/.stamp ## draw the pictures of the README again: docs/pictures; those of the games' boards; and the icons
	@$(BIN)/python -m tools.pictures
	@$(BIN)/python -m tools.covers
	@$(BIN)/python -m tools.icons

sheets: setup-dev $(CLIENT)/node_modules/.stamp ## take pictures of all tables, to be looked at, into dist/sheets; or of GAME= SIZE= THEME= LANGUAGE= MOMENT= alone
	@$(BIN)/python -m tools.sheets $(foreach one,GAME SIZE THEME LANGUAGE MOMENT,$(if $($(one)),--$(shell echo $(one) | tr A-Z a-z) $($(one))))

site: setup-dev ## write the guides as a static site into dist/site
	@$(BIN)/python -m tools.site

release: setup-dev $(CLIENT)/node_modules/.stamp ## make the release VERSION=: two commits, a tag, and what is published, in dist/
	@$(BIN)/python -m tools.release $(VERSION)

bench: setup-dev ## measure; prints a table and writes JSON
	@$(BIN)/python -m tools.bench

lock: ## resolve the lock files again after a change in pyproject.toml (needs uv; UPGRADE=--upgrade takes newer versions)
	$(RESOLVE) --group build --output-file requirements.lock
	$(RESOLVE) --group dev --constraint requirements.lock --output-file requirements-dev.lock
	$(RESOLVE:pyproject.toml=$(MATRIX)/requirements.in) --output-file $(MATRIX)/requirements.txt
	$(RESOLVE:pyproject.toml=tests/buckets/requirements.in) --output-file tests/buckets/requirements.lock
	$(subst 3.11,3.12,$(RESOLVE:pyproject.toml=tests/witnesses/requirements.in)) --output-file tests/witnesses/requirements.lock

clean: ## remove what setup and the tools made; var/ stays, for it holds games
	rm -rf $(VENV) tools/node_modules $(CLIENT)/node_modules dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache

# Hashes and markers for every platform, and no host: the files install from any index.
RESOLVE = uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
  --no-emit-index-url --no-header --no-annotate --quiet $(UPGRADE)

# The node of the virtual environment, so that everybody lints with the same one; no usage data leaves the machine.
NODE := PATH="$(abspath $(BIN)):$$PATH" REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true

# One line for each thing that a machine may lack, instead of a traceback.
define check_python
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "Lonja needs Python 3.11 or newer: name one with PYTHON=/path/to/python3."; exit 1; }
endef

# Debian's Python comes without pip and without what makes one: so this one comes with the project.
PIP := tools/pip-26.3-py3-none-any.whl/pip --quiet --disable-pip-version-check

# A virtual environment with what the lock file $(1) names, and the project itself, whose build backend is in the lock.
define install
	@echo "Setting up $(VENV) from $(1); this takes about half a minute, once."
	@$(PYTHON) -m venv --without-pip $(VENV)
	@$(BIN)/python $(PIP) install --require-hashes --requirement $(1)
	@$(BIN)/python $(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@
endef

$(VENV)/.setup: requirements.lock pyproject.toml
	$(check_python)
	$(call install,requirements.lock)

$(VENV)/.setup-dev: requirements-dev.lock pyproject.toml
	$(check_python)
	$(call install,requirements-dev.lock)

# The API's types, for the compiler alone.
$(CLIENT)/api/schema.d.ts: openapi.yaml $(CLIENT)/node_modules/.stamp
	@cd $(CLIENT) && $(NODE) node node_modules/.bin/openapi-typescript $(abspath openapi.yaml) --output $(abspath $@) > /dev/null

$(MATRIX)/.venv/.stamp: $(MATRIX)/requirements.txt | $(VENV)/.setup-dev
	@$(BIN)/python -m venv --without-pip $(@D)
	@$(@D)/bin/python $(PIP) install --require-hashes --requirement $<
	@touch $@

%/node_modules/.stamp: %/package-lock.json %/.npmrc | $(VENV)/.setup-dev
	@cd $* && $(NODE) npm ci --silent
	@touch $@
