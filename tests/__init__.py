"""The tests, and what they share: `naive` (plain twins of the kernels) and `mutate` (broken inputs)."""
