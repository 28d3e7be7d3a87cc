"""The command line: one module a command group; nothing but parsing and printing."""
