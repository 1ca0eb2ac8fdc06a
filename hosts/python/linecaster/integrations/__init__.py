"""Doors into frameworks, one module for each; each needs its framework.

Nothing of this is imported with `linecaster` itself. docs/integrations.md has
an example of each.
"""
