"""One suite per file."""
