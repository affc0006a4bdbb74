"""The report and how it comes about (protocol section 16)."""
