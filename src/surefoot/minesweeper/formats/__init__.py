"""Other programs' files, one format a file."""
