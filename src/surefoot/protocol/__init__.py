"""Agents in other processes: a private channel, clocks, limits, and what is left when one misbehaves."""
