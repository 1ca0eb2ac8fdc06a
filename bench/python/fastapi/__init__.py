"""FastAPI's encoder and whole requests, ours beside FastAPI's own and others.

``python -m bench.python.fastapi`` from the root of the repository; each (input,
mode, peer) in a process of its own with malloc pinned, as in the rest of the
harness, whose clocks, rounds and results it uses.
"""
