# Every target first makes the virtual environment with what it needs, once.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.PHONY: setup demo serve test lint kernels browser postgres bench results clean

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(not sys.version_info >= (3, 11))' || { echo "Surefoot needs Python 3.11 or newer (PYTHON=... names one)" >&2; exit 2; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev,cluster,learn,parquet,postgres,pygame]'
	@touch $(READY)

demo: $(READY)
	@$(BIN)/python -m surefoot demo

# The page; PORT=... names another port than 8000.
serve: $(READY)
	@$(BIN)/python -m surefoot serve $(if $(PORT),--port $(PORT))

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# Tests of the page want a real Chromium; where this user may install the system's packages, it is.
browser:
	@command -v chromium chromium-browser google-chrome >/dev/null || { \
		[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
		&& apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y chromium >/dev/null; } \
		|| echo "make: there is no Chromium here: the page will not be tested in a browser" >&2

# And the store's, a real PostgreSQL server.
postgres:
	@command -v postgres >/dev/null || ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || { \
		[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
		&& apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y postgresql >/dev/null; } \
		|| echo "make: there is no PostgreSQL here: the arena's store will not be tested on one" >&2

# Before any test: else each process of the suite would compile for itself what several need at once.
kernels: $(READY)
	@$(BIN)/python -m surefoot warmup

# On a new machine the compiling takes one core for a minute or two, and the checks the other.
test: browser postgres $(READY)
	@$(MAKE) --jobs=2 lint kernels
	$(BIN)/python -m pytest -n auto

bench: $(READY)
	@for file in benchmarks/bench_*.py; do $(BIN)/python $$file || exit 1; done

results: $(READY)
	$(BIN)/python tools/results.py

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis
