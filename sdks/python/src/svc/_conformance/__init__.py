"""The conformance protocol (docs/conformance.md): one request a line, one answer a line."""
