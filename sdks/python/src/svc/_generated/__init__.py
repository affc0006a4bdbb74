"""What `pnpm spec` writes from spec/, and the compiled kernel. Do not edit it."""
