"""From bytes to a report (protocol section 16)."""
