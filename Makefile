# Linecaster. `make demo` and `make test` do all the set-up that they need;
# everything that is made goes under build/ and target/, which git ignores.
# The work is in tools/; this file only names it.

PY := tools/python.sh
.DEFAULT_GOAL := help
.PHONY: help demo test test-all test-newer bench lint fmt fuzz lock clean

help: ## show the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 20

demo: ## encode and decode real JSON beside other libraries (DATA=folder)
	@$(PY) tools/demo.py

test: ## set up, then run every check and test (STAGES="name …" for a part)
	@$(PY) tools/suite.py test

test-all: ## as test, with the long runs and the tests that need much memory
	@$(PY) tools/suite.py test-all

test-newer: ## the Python suite on 3.14 and 3.15, in a Debian sid chroot (root)
	@tools/newer_python.sh

bench: ## the benchmarks, into bench/results (PART=kernel, python, dropins, fastapi or jsonnet, DATA=folder)
	@$(PY) tools/bench.py

lint: ## formatters, linters, types, stubs, layers
	@$(PY) tools/suite.py lint

fmt: ## format Rust and Python sources
	@$(PY) tools/fmt.py

fuzz: ## run the fuzz targets (SECONDS_EACH=60, TARGETS="name …")
	@$(PY) tools/fuzz.py

lock: ## renew the pinned Python packages in tools/requirements
	@$(PY) tools/lock.py

clean: ## remove everything that was made
	rm -rf build target fuzz/target
