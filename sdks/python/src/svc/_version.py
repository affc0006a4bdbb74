"""The version of this package, and the SHA-256 of the compiled kernel that it carries."""

VERSION = "0.5.0"
KERNEL_SHA256 = "851db56786b975ae7c6dab0c8ad6236388d3bf08f2532e92b17ab4c4d03a6196"
