"""Evidence of vaults (protocol sections 17 to 33)."""
