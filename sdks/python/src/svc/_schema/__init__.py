"""Shapes and forms of texts (protocol sections 2 and 5)."""
