"""Signed notes, cosignatures and verification keys (protocol sections 9 and 10)."""
