"""Fork evidence (section 11): two signed statements that exclude each other."""
