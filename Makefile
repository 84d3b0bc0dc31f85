# Two commands matter: `make demo` and `make test`. Both set up everything they need.
VENV := .venv
BIN := $(VENV)/bin
CORPUS ?= ../shared/corpus
PYTHON ?= python3

.PHONY: demo test lint bench bench-extract bench-ingest bench-analytics bench-lineage bench-pdf bench-narrative bench-ask bench-ask-speed clean

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $@

demo: $(VENV)/.ready
	$(BIN)/python data/demo.py

lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile

bench: bench-extract bench-ingest bench-pdf bench-analytics bench-lineage bench-narrative

bench-extract: $(VENV)/.ready
	$(BIN)/python -m benchmarks.extract --corpus $(CORPUS)

bench-ingest: $(VENV)/.ready
	$(BIN)/python -m benchmarks.ingest --corpus $(CORPUS)

bench-analytics: $(VENV)/.ready
	$(BIN)/python -m benchmarks.analytics

bench-lineage: $(VENV)/.ready
	$(BIN)/python -m benchmarks.lineage

bench-ask: $(VENV)/.ready
	$(BIN)/python -m benchmarks.ask --corpus $(CORPUS)

bench-ask-speed: $(VENV)/.ready
	$(BIN)/python -m benchmarks.ask_speed

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

bench-narrative: $(VENV)/.ready
	$(BIN)/python -m benchmarks.narrative --corpus $(CORPUS)

bench-pdf: $(VENV)/.ready
	$(BIN)/python -m benchmarks.pdf --corpus $(CORPUS)
