"""The agent that looks ahead: it guesses where the chance to win is best, not the chance to survive."""

from typing import ClassVar

from ..skill import EXPERT, Skill
from .exact import ExactAgent


class ExpertAgent(ExactAgent):
    """Opens every cell that is proved safe; else weighs what each number of each candidate would leave.

    Few layouts are played perfectly. How it thinks is told in docs/minesweeper-strength.md.
    """

    skill: ClassVar[Skill] = EXPERT
