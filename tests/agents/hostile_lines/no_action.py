from behaving import play, say

play(lambda message, answer: say(**answer | {"action": "dance 3,3"}))
