"""Makes evidence of evidence, without a key: nothing is handed out that does not hold."""
