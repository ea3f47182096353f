# Two commands on a fresh machine: `make report` and `make test`. Another Python: `make PYTHON=python3.12 test`.
PYTHON ?= python3
BIN    := .venv/bin
ENV    := .venv/.installed
PYTEST := $(BIN)/python -m pytest -n 2 --dist loadfile -rs

# Other people's records that the tests read in place, where they lie beside the checkout.
ifeq ($(origin BLUNDERLAB_DATA), undefined)
ifneq ($(wildcard ../shared/reference),)
export BLUNDERLAB_DATA := $(abspath ../shared/reference)
endif
endif
# The notebooks' outputs belong to the shipped data.
unexport BLUNDERLAB_FILES

.DEFAULT_GOAL := help
.PHONY: help env report test test-unit test-notebooks notebooks datasets bench lint clean

help:            ## this list
	@grep -E '^[a-z-]+: .*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 18

env: $(ENV)      ## create .venv with everything in it

report: $(ENV)   ## execute the notebooks on the shipped data, write report/index.html
	$(BIN)/blunderlab report --out report

test: $(ENV)     ## everything: unit tests, doctests, notebooks
	$(PYTEST)

test-unit: $(ENV)       ## unit tests and doctests
	$(PYTEST) blunderlab tests

test-notebooks: $(ENV)  ## every notebook cell gives what is written under it
	$(PYTEST) notebooks

notebooks: $(ENV)       ## execute the notebooks in place, when their results have changed
	$(BIN)/blunderlab notebooks --out notebooks

datasets: $(ENV)        ## make the shipped data again (datasets/make_*.py; needs the engines)
	set -e; for script in $(sort $(wildcard datasets/make_*.py)); do $(BIN)/python $$script; done

bench: $(ENV)           ## side by side with peers (benchmarks/bench_*.py)
	set -e; for script in $(sort $(wildcard benchmarks/bench_*.py)); do $(BIN)/python $$script; done

lint: $(ENV)            ## style
	$(BIN)/ruff check .

clean:                  ## remove what the other targets made, .venv too
	rm -rf .venv report build dist .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# An environment that is already there is kept; it is brought up to date when pyproject.toml changes.
$(ENV): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip --upgrade
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[dev]'
	@touch $@
