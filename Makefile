# `make train` and `make test` need Python 3.11 and make only; each installs what is missing into .venv, then works.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.SUFFIXES:

PYTHON ?= python3.11
BIN := .venv/bin
# where the parts of `make test` leave their coverage
OUT := .test
# output of parts that run side by side is shown part by part (make 4; older ones mix the lines)
SYNC := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

.PHONY: help install train test test-integrations bench mutants golden tables balance format clean
help: ## what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 20

# ---------------------------------------------------------------- environments
install: .venv/.stamp ## create .venv and install everything into it
.venv/.stamp: constraints.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11) and "Python 3.11 is needed: make PYTHON=/path/to/python3.11")'
	@echo "installing into .venv; the first time takes some minutes"
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --constraint constraints.txt torch==2.13.0 setuptools
	$(BIN)/pip install --quiet --constraint constraints.txt --no-build-isolation --editable '.[train,sweep,dev]'
	@touch $@

# the oldest PettingZoo and Gymnasium that are supported
.venv-compat/.stamp: constraints-compat.txt pyproject.toml
	$(PYTHON) -m venv .venv-compat
	.venv-compat/bin/pip install --quiet --constraint constraints-compat.txt setuptools pytest hypothesis
	.venv-compat/bin/pip install --quiet --constraint constraints-compat.txt --no-build-isolation --editable .
	@touch $@

# the peers of the benchmark; one that cannot be installed is skipped, and the benchmark says so
PEERS := 'pettingzoo[classic]' 'jax pgx'
.venv-bench/.stamp: constraints.txt constraints-bench.txt pyproject.toml
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/pip install --quiet --constraint constraints.txt torch==2.13.0 setuptools
	.venv-bench/bin/pip install --quiet --constraint constraints.txt --no-build-isolation --editable '.[train]'
	for peer in $(PEERS); do \
	  .venv-bench/bin/pip install --quiet --constraint constraints.txt --constraint constraints-bench.txt $$peer \
	  || echo "bench: skipped, cannot be installed here: $$peer"; \
	done
	@touch $@

# other people's tools, in lanes of those that can be installed together
LANE1 := distributed,torchrl,tianshou
LANE2 := train,open-spiel,supersuit,wandb,mlflow
LANE3 := agilerl
LANES := .venv-lane1/.stamp .venv-lane2/.stamp .venv-lane3/.stamp
$(LANES): .venv-lane%/.stamp: constraints-lane%.txt pyproject.toml
	$(PYTHON) -m venv .venv-lane$*
	.venv-lane$*/bin/pip install --quiet --constraint constraints-lane$*.txt torch==2.13.0 setuptools
	.venv-lane$*/bin/pip install --quiet --constraint constraints-lane$*.txt --no-build-isolation \
	  --editable '.[$(LANE$*)]' pytest hypothesis $(if $(filter 2,$*),dm-tree)
	@touch $@

# ---------------------------------------------------------------- training
train: .venv/.stamp ## train a Sherlock and a Moriarty of each game, two at a time, and judge them
	$(BIN)/python -m reichenbach.training.quickstart

# ---------------------------------------------------------------- tests
# The parts run two at a time, the longest first; a failed part does not stop the others, and any failed part fails the
# whole. One alone of the first two compiles; those that follow find most of that done.
APART := --ignore=tests/gates --ignore=tests/integrations
PARTS := test-rules test-plain test-leaks types test-faces test-bounds canaries compat lint
.PHONY: $(PARTS) checks coverage
test: .venv/.stamp .venv-compat/.stamp ## run every check and test
	@rm -rf $(OUT) && mkdir -p $(OUT)
	@$(MAKE) --no-print-directory --keep-going --jobs=2 $(SYNC) checks
	@echo "make test: everything passed"

checks: $(PARTS) coverage

lint:
	@echo "== lint"
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types:
	@echo "== types"
	$(BIN)/mypy
	$(BIN)/pyright

# Coverage cannot see compiled lines: what the tests of the rules run of kernels and of Python is covered where the same
# tests run as plain Python. Here it would see nothing more, and doubles the time.
test-rules:
	@echo "== tests of the rules, compiled"
	$(BIN)/pytest -m plain $(APART)

test-plain:
	@echo "== tests of the rules, plain Python"
	NUMBA_DISABLE_JIT=1 COVERAGE_FILE=$(OUT)/plain.coverage $(BIN)/coverage run -m pytest -m plain $(APART)

# hundreds of whole games, which coverage would slow down too
LEAKS := tests/*/test_nothing_leaks.py
test-leaks:
	@echo "== leak audit, compiled"
	$(BIN)/pytest $(LEAKS)

test-faces:
	@echo "== all other tests, compiled"
	COVERAGE_FILE=$(OUT)/faces.coverage $(BIN)/coverage run -m pytest -m "not plain" \
	  $(APART) --ignore-glob='$(LEAKS)'

# a cache of its own: it runs beside parts that compile without the checks. Less optimised it is compiled in half the time
test-bounds:
	@echo "== tests of the rules, compiled with index checks"
	NUMBA_BOUNDSCHECK=1 NUMBA_OPT=1 NUMBA_CACHE_DIR="$(CURDIR)/.numba_cache" $(BIN)/pytest -m plain $(APART)

# what mypy keeps of its run saves a minute
canaries: types
	@echo "== canaries"
	$(BIN)/pytest tests/gates

# the audit and hash seeds take long and ask nothing of either
compat:
	@echo "== environments with the oldest PettingZoo and Gymnasium supported"
	.venv-compat/bin/pytest tests/envs --ignore=tests/envs/test_audit.py -k "not whatever_their_hash_seed"

coverage: test-faces test-plain
	@echo "== coverage of both runs"
	COVERAGE_FILE=$(OUT)/both.coverage $(BIN)/coverage combine --keep --quiet $(OUT)/faces.coverage $(OUT)/plain.coverage
	COVERAGE_FILE=$(OUT)/both.coverage $(BIN)/coverage report

bench: .venv-bench/.stamp ## measure the speed beside other libraries' in the same run
	.venv-bench/bin/python -m tests.bench.run

# AgileRL warns of itself when it is imported
.PHONY: test-lane1 test-lane2 test-lane3
test-integrations: test-lane1 test-lane2 test-lane3 ## play and train in other people's tools
test-lane1 test-lane2 test-lane3: test-lane%: .venv-lane%/.stamp
	@echo "== other people's tools, lane $*"
	.venv-lane$*/bin/pytest $(if $(filter 3,$*),-W ignore) tests/integrations/lane$*

mutants: .venv/.stamp ## plant rule mistakes one at a time and see the tests find each
	$(BIN)/python -m tests.mutants.run

golden: .venv/.stamp ## write the golden games again
	$(BIN)/python tests/who_is_moriarty/golden.py
	$(BIN)/python tests/manor/golden.py

tables: .venv/.stamp ## write the generated tables of README and MAPS.md again
	$(BIN)/python -m tests.docs.tables
	$(BIN)/python -m tests.manor.maps_page

balance: .venv/.stamp ## play the scripted agents of The Manor against each other and write BALANCE.md again
	$(BIN)/python -m tests.docs.balance

format: .venv/.stamp ## put the sources into the format that the tests ask for
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## remove environments, caches and results of tests
	rm -rf .venv .venv-compat .venv-bench .venv-lane? $(OUT) build dist .numba_cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
