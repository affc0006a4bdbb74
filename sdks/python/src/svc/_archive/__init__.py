"""ZIP archives in the strict form of protocol section 15."""
