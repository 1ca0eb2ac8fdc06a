"""Linecaster."""
