"""Evidence of a chain, verified offline (section 12): a block's header, and two proofs of its state."""
