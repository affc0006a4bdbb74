"""Evidence streams that anyone can verify, offline."""
