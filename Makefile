# All set-up happens here: `make demo` and `make test` need Python 3.11 or newer and make, nothing else.
# What is installed goes into .venv; it is installed again only when pyproject.toml has changed.

.DEFAULT_GOAL := help
.PHONY: help demo test coverage check docs wheel board clean

VENV := .venv
BIN := $(VENV)/bin
PYTHON := $(BIN)/python
PIP := $(PYTHON) -m pip --disable-pip-version-check --quiet
METHODS := truncate mask index extractive ledger
BUDGETS := 1.4% 5% 10%
LONG := examples/long/freight.claude-code.jsonl.xz

export NO_MKDOCS_2_WARNING := 1

# The first interpreter that really runs, is new enough, and can make an environment.
FIND_PYTHON = for python in $$TAMIS_PYTHON python3 python3.14 python3.13 python3.12 python3.11 python; do \
	if $$python -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
	then echo $$python; exit; fi; done

help: ## Show what can be made
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 16

demo: $(VENV)/.installed ## Compress a day of an agent's work with every method: the table, the brief, the report
	@rm -rf runs/demo
	@echo "What five methods keep at three budgets:"
	@$(BIN)/tamis eval $(dir $(LONG)) examples/sessions $(METHODS:%=-m %) $(BUDGETS:%=-b %) --short -o runs/demo
	@echo
	@echo "What tamis writes of the whole session in 2 % of its tokens (tamis compact $(LONG) -b 2% --as text):"
	@echo
	@$(BIN)/tamis compact $(LONG) -b 2% --as text
	@echo
	@$(BIN)/tamis report runs/demo

test: $(VENV)/.installed-all ## Run the tests
	$(PYTHON) -m pytest -n auto

coverage: $(VENV)/.installed-all ## Run the tests, and show which lines they reach (twice the time)
	$(PYTHON) -m pytest -n auto --cov --cov-report=term:skip-covered

check: $(VENV)/.installed-all ## Check format, lint, types, layers and docs
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(PYTHON) docs/generate.py --check
	$(BIN)/mkdocs build --strict --quiet --site-dir build/site

docs: $(VENV)/.installed-all ## Write the reference pages and build the documentation
	$(PYTHON) docs/generate.py
	$(BIN)/mkdocs build --strict --quiet --site-dir build/site
	@echo "docs: build/site/index.html"

wheel: | $(PYTHON) ## Build and check the wheel, and run the README with it where nothing else is installed
	$(PYTHON) .ci/wheel.py dist

board: $(VENV)/.installed ## Run the benchmark over all methods, and write the reference board
	$(PYTHON) docs/board.py

clean: ## Remove everything that was made, the environment too
	rm -rf $(VENV) build dist site runs .coverage* .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

$(PYTHON):
	@python="$$($(FIND_PYTHON))"; \
	if [ -z "$$python" ]; then \
		echo "tamis needs Python 3.11 or newer with the venv module; install it, or name it: make TAMIS_PYTHON=/path/to/python3" >&2; \
		exit 1; \
	fi; \
	echo "setting up $(VENV) with $$($$python --version)"; \
	$$python -m venv --clear $(VENV)

$(VENV)/.installed: pyproject.toml | $(PYTHON)
	@echo "installing tamis into $(VENV)"
	@$(PIP) install --upgrade 'pip>=25.1'
	@$(PIP) install --editable .
	@touch $@

$(VENV)/.installed-all: pyproject.toml | $(VENV)/.installed
	@echo "installing the tools for tests and checks into $(VENV)"
	@$(PIP) install --group test --group check
	@touch $@
