"""The Jsonnet benchmark: whole processes beside other implementations."""
