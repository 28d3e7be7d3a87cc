"""Agents in other processes: isolation, clocks and memory limits."""
