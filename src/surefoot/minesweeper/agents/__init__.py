"""One agent a file, and the table of them by name."""

AGENTS = {
    "random": "surefoot.minesweeper.agents.random:RandomAgent",
    "sentence": "surefoot.minesweeper.agents.sentence:SentenceAgent",
    "exact": "surefoot.minesweeper.agents.exact:ExactAgent",
    "expert": "surefoot.minesweeper.agents.expert:ExpertAgent",
    "max": "surefoot.minesweeper.agents.max:MaxAgent",
    "perfect": "surefoot.minesweeper.agents.perfect:PerfectAgent",
}
"""Where each named agent lives, as ``module:Class``; nothing is imported until it is asked for."""
