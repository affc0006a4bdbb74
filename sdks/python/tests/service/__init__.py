"""Tests that need a running service. They are a package, so that their `conftest` is not the other tests' one."""
