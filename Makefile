# Each target sets up what it needs on a bare machine (Python 3.11 or newer; Node for the glTF validator; on
# Debian, Chromium for the tests of pages) and may be run again at any time.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
NODE_READY := node_modules/.ready

BLENDER := .venv-blender

# A folder whose subfolders hold captured .bvh clips, which `make demo` then shows too.
MOCAP ?= ../shared/mocap
# How long `make fuzz` runs.
SECONDS ?= 600

.PHONY: demo release docs test test-all signatures fuzz bench lint format test-blender test-blender-4.5 test-blender-5.2 blender clean

# Kernels are compiled on all cores, only those that have changed, and linked where there is a C compiler.
demo: $(READY)
	$(BIN)/segue warm $(if $(shell command -v cc),--link)
	$(BIN)/python -m examples.gallery $(if $(wildcard $(MOCAP)),--mocap $(MOCAP))
	@echo "To edit motions in the browser, run $(BIN)/segue studio"

# Warnings are errors; equations are MathML, so that the pages need no network.
docs: $(READY)
	$(BIN)/python -m sphinx -W --keep-going -n -q -b html docs out/docs
	@echo "The documentation is in out/docs/index.html"

test: lint $(NODE_READY)
	.ci/chromium
	$(BIN)/segue warm
	$(BIN)/python -m pytest -n 2 --dist worksteal

# Record with which types kernels are called, after a change of kernels: the wheel holds exactly these.
signatures: $(READY)
	rm -rf out/signatures
	SEGUE_MACHINE_CODE=0 SEGUE_RECORD_SIGNATURES=$(CURDIR)/out/signatures $(BIN)/python -m pytest -q
	$(BIN)/python -m segue.compiled.signatures out/signatures

# The source archive and the wheel in dist, each tried in an environment of its own. URL: the address of the repository.
release: $(READY)
	$(BIN)/python -m tests.support.release $(URL)

# Mutated files, scripts and commands for SECONDS seconds, all formats together; inputs that fail are kept in out/fuzz.
fuzz: $(READY)
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS)

# The tests marked nightly as well, such as every shipped dance pattern by a simulated body.
EVERY_TEST := -m ''
test-all: lint $(NODE_READY)
	.ci/chromium
	$(BIN)/segue warm
	$(BIN)/python -m pytest -n 2 --dist worksteal $(EVERY_TEST)

# The add-on, and Blender's own importers as the judges of our .glb files and of how we read FBX. Blender's module is
# 370 MB and needs one Python exactly, so it has environments of its own and is not part of `make test`. Blender 4.5 and 5.0 need
# Python 3.11. Blender 5.2 needs Python 3.13 and is tested if PYTHON_313 is found.
PYTHON_313 ?= $(shell python3.13 -c 'import sys; print(sys.executable)' 2> /dev/null)
BLENDER_TESTS := tests/blender tests/io/test_gltf_blender.py tests/io/test_fbx_blender.py
test-blender: $(BLENDER)/.ready
	$(BLENDER)/bin/python -m pytest $(BLENDER_TESTS)
	$(MAKE) test-blender-4.5
	$(if $(PYTHON_313),$(MAKE) test-blender-5.2,@echo "Blender 5.2 is not tested: Python 3.13 was not found")

test-blender-4.5 test-blender-5.2: test-blender-%: $(BLENDER)-%/.ready
	$(BLENDER)-$*/bin/python -m pytest tests/blender

$(BLENDER)/.ready: pyproject.toml
	$(PYTHON) -m venv $(BLENDER)
	$(BLENDER)/bin/python -m pip install --quiet --upgrade pip
	$(BLENDER)/bin/python -m pip install --quiet 'bpy==5.0.*' pytest hypothesis pygltflib --editable '.[fbx]'
	touch $@

$(BLENDER)-4.5/.ready: PYTHON_HERE = $(PYTHON)
$(BLENDER)-5.2/.ready: PYTHON_HERE = $(PYTHON_313)
$(BLENDER)-%/.ready: pyproject.toml
	$(PYTHON_HERE) -m venv $(BLENDER)-$*
	$(BLENDER)-$*/bin/python -m pip install --quiet --upgrade pip
	$(BLENDER)-$*/bin/python -m pip install --quiet 'bpy==$*.*' pytest hypothesis --editable .
	touch $@

# The extension for Blender: a zip for each platform and Python series, in out/blender.
blender: $(READY)
	$(BIN)/python blender/build.py --out out/blender

bench: $(READY)
	$(BIN)/python -m benchmarks

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev,docs,fbx,usd,video,simulation,studio,notebook,graph]'
	touch $@

$(NODE_READY): package.json
	npm install --no-audit --no-fund --silent --no-package-lock
	touch $@

clean:
	rm -rf $(VENV) $(BLENDER) $(BLENDER)-4.5 $(BLENDER)-5.2 node_modules build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
