"""An agent in Python without a line of Surefoot's: a start for one of your own, in whatever language.

surefoot minesweeper evaluate 'cmd:python examples/agents/python/agent.py' --rules beginner --games 100
surefoot risk evaluate 'cmd:python examples/agents/python/agent.py' random --games 20

It opens what a single number proves safe, and else the cell that looks least dangerous. In Risk it
strengthens the territory where most enemies stand near, and attacks whoever is weaker. It draws no lots.
"""

import json
import sys
from collections import defaultdict
from itertools import combinations


class Minesweeper:
    """One game of Minesweeper."""

    def __init__(self, told):
        self.rules = told["switches"]
        self.plan = []  # actions that were decided together; each is checked again before it is played
        self.near = None
        self.guesses = 0

    def act(self, text):
        header, *rows = text.split("\n")
        self.width, self.height, mines = (None if word == "?" else int(word) for word in header.split("x"))
        self.mines = mines
        self.cells = "".join(rows)
        if self.near is None:
            self.near = [self.neighbours(cell) for cell in range(len(self.cells))]
        while True:
            while self.plan:
                verb, cell = self.plan.pop()
                if self.cells[cell] == ("F" if verb == "unflag" else "H"):
                    return self.say(verb, cell)
            if not self.think():
                return "leave" if self.rules["may_leave"] else self.say("uncover", self.cells.index("H"))

    def neighbours(self, cell):
        row, col = divmod(cell, self.width)
        rows = range(max(row - 1, 0), min(row + 2, self.height))
        cols = range(max(col - 1, 0), min(col + 2, self.width))
        return [r * self.width + c for r in rows for c in cols if (r, c) != (row, col)]

    def say(self, verb, cell):
        return f"{verb} {cell // self.width},{cell % self.width}"

    def think(self):
        """Fill the plan; False if there is nothing to be done any more."""
        cells = self.cells
        hidden = {cell for cell, letter in enumerate(cells) if letter in "HF"}
        numbers = []  # the mines around a cell, and what is hidden there
        for cell, letter in enumerate(cells):
            if letter in "012345678":
                around = [other for other in self.near[cell] if other in hidden]
                if around:
                    numbers.append((int(letter), around))
        mines = set()
        for number, around in numbers:
            if number == len(around):
                mines.update(around)
        if self.mines == len(hidden):
            mines = hidden
        safe = set()
        for number, around in numbers:
            unknown = [other for other in around if other not in mines]
            if len(around) - len(unknown) == number:
                safe.update(unknown)
        if self.rules["goal"] == "flags":
            self.plan += [("flag", cell) for cell in sorted(mines, reverse=True) if cells[cell] == "H"]
        for cell in sorted(safe, reverse=True):
            self.open(cell)
        if not self.plan and hidden - mines:
            self.guess(hidden, mines, numbers)
        return bool(self.plan)

    def open(self, cell):
        # The last one is done first: a flag that somebody has put there is taken off before.
        self.plan.append(("uncover", cell))
        if self.cells[cell] == "F":
            self.plan.append(("unflag", cell))

    def guess(self, hidden, mines, numbers):
        """Open the cell whose worst number leaves the best odds, the first one among equals."""
        rest = len(hidden - mines)
        left = (0.2 * rest if self.mines is None else self.mines - len(mines)) / rest
        danger = dict.fromkeys(sorted(hidden - mines), left)
        beside = set()
        for number, around in numbers:
            unknown = [other for other in around if other not in mines]
            for cell in unknown:
                odds = (number - len(around) + len(unknown)) / len(unknown)
                danger[cell] = max(danger[cell], odds) if cell in beside else odds
                beside.add(cell)
        self.guesses += 1
        self.open(min(danger, key=danger.get))


class Risk:
    """One game of Risk."""

    guesses = None

    def __init__(self, told):
        self.rules = told["switches"]
        self.lands = told["territories"]
        self.most = self.rules["max_armies"] or 10**9
        self.dice = 1 if self.rules["battles"] == "coin" else 3

    def act(self, text):
        self.read(text)
        match self.lines["phase"]:
            case "claim":
                return f"claim {min(self.free)}"
            case "capital":
                return f"claim {max(sorted(self.own), key=self.threat)}"
            case "setup":
                return self.draft()
            case "draft":
                return self.trade() or self.draft()
            case "occupy":
                source, target = self.lines["taken"].split()
                return f"occupy {min(self.own[source] - 1 + self.own[target], self.most)}"
        return self.attack() or "end"

    def read(self, text):
        """The lines of a position; those of territories say who owns how many armies where."""
        self.lines, self.own, self.others, self.free = {}, {}, {}, []
        lands = []
        for line in text.splitlines():
            name, _, value = line.partition(":")
            if name in ("nobody", "neutral") or name.isdigit():
                lands.append((name, value))
            else:
                self.lines[name] = value.strip()
        for name, value in lands:
            for part in value.split(","):
                land, *armies = part.split()
                if name == "nobody":
                    self.free.append(land)
                else:
                    mine = name == self.lines["seat"]
                    (self.own if mine else self.others)[land] = int(armies[0])

    def threat(self, land):
        """The enemies beside a territory, as far as they are seen."""
        return sum(self.others.get(near, 0) for near in self.lands[land]["neighbours"])

    def draft(self):
        armies = int(self.lines["in hand"])
        room = [land for land in sorted(self.own) if self.own[land] < self.most]
        land = max(room, key=self.threat)
        return f"draft {land} {min(armies, self.most - self.own[land])}"

    def trade(self):
        """The first set there is, as soon as there is one; in the middle of a turn only when it must be."""
        cards = self.lines.get("cards", "").split()
        if self.rules["cards"] == "none" or ("mid-turn" in self.lines and len(cards) < 5):
            return None
        kinds = {card: "wild" if card.startswith("wild-") else self.lands[card]["card"] for card in cards}
        for three in combinations(cards, 3):
            if len({kinds[card] for card in three} - {"wild"}) != 2 or "wild" in map(kinds.get, three):
                pictured = [card for card in three if card in self.own]
                return f"trade {' '.join(three)}" + (f" on {pictured[0]}" if pictured else "")
        return None

    def attack(self):
        """The attack with the most to spare, if there is one with anything to spare."""
        limit = self.rules["max_attacks"]
        if limit and int(self.lines.get("attacks", 0)) >= limit:
            return None
        chances = defaultdict(list)
        for source in sorted(self.own):
            for target in self.lands[source]["neighbours"]:
                if target in self.others and self.own[source] > 1:
                    chances[self.own[source] - 1 - self.others[target]].append((source, target))
        if not chances or max(chances) < 1:
            return None
        source, target = min(chances[max(chances)])
        armies = self.own[source] - 1
        if self.rules["blitz"] == "never":
            return f"attack {source} {target} {min(armies, self.dice)} roll"
        return f"attack {source} {target} {armies}"


GAMES = {"minesweeper": Minesweeper, "risk": Risk}


def main():
    game = None
    for line in sys.stdin:
        message = json.loads(line)
        match message["type"]:
            case "hello":
                say(type="hello", protocol=1, name="sample in Python", version="1", games=list(GAMES))
            case "new_game":
                game = GAMES[message["game"]](message)
            case "observe":
                action = game.act(message["observation"])
                counted = {} if game.guesses is None else {"guesses": game.guesses}
                say(type="act", id=message["id"], action=action, **counted)
            case "error":
                sys.stderr.write(f"{message['message']}\n")


def say(**message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
