"""One agent a file, and the table of them by name."""

AGENTS = {
    "random": "surefoot.risk.agents.random:RandomAgent",
    "passive": "surefoot.risk.agents.passive:PassiveAgent",
    "aggressive": "surefoot.risk.agents.aggressive:AggressiveAgent",
    "pacifist": "surefoot.risk.agents.pacifist:PacifistAgent",
    "spread": "surefoot.risk.agents.spread:SpreadAgent",
    "continent": "surefoot.risk.agents.continent:ContinentAgent",
    "killer": "surefoot.risk.agents.killer:KillerAgent",
    "turtle": "surefoot.risk.agents.turtle:TurtleAgent",
    "empire": "surefoot.risk.agents.empire:EmpireAgent",
    "planner": "surefoot.risk.agents.planner:PlannerAgent",
    "alphabeta": "surefoot.risk.agents.alphabeta:AlphaBetaAgent",
}
"""Where each named agent lives, as ``module:Class``; nothing is imported until it is asked for."""

STRONGEST = "planner"
"""The one to ask for advice."""

ROLL_OUT = "planner:fast"
"""The one that plays games out, for which it has to have a compiled policy."""
