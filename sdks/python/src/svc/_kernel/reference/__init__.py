"""The reference kernel: nothing but Python's standard library, each part as its specification words it."""
