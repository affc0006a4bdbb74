"""What holds of each kind of object, one section of the protocol a module."""
