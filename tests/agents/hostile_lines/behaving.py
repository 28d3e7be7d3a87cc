"""What the agents here have in common: the sample agent plays, until one of them has its way.

In a game with an odd seed, the agent's second question goes to its ``misbehave(message, answer)``; what that
does not say itself is not said. All other questions are answered as they should be.
"""

import importlib.util
import json
import sys
from pathlib import Path

SAMPLE = Path(__file__).parents[3] / "examples" / "agents" / "python" / "agent.py"


def sample():
    spec = importlib.util.spec_from_file_location("sample", SAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def play(misbehave):
    games = sample().GAMES
    game, odd, asked = None, False, 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say(type="hello", protocol=1, name="hostile", version="1", games=list(games))
        elif message["type"] == "new_game":
            game, odd, asked = games[message["game"]](message), message["seed"] % 2 == 1, 0
        elif message["type"] == "observe":
            asked += 1
            answer = {"type": "act", "id": message["id"], "action": game.act(message["observation"])}
            if odd and asked == 2:
                misbehave(message, answer)
            else:
                say(**answer)


def say(**message):
    write(json.dumps(message) + "\n")


def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()
