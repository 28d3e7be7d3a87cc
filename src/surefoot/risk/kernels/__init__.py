"""Compiled loops: arrays and integers in, arrays and integers out."""
