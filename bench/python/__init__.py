"""The Python benchmark: each measurement in a process of its own.

``python -m bench.python`` from the root of the repository; `bench/README.md`
says what is measured and why in this way.
"""
