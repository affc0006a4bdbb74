"""Whom the verifier trusts (protocol sections 4 and 16)."""
