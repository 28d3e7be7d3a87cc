from behaving import play, say

play(lambda message, answer: say(type="hello", protocol=1, name="hello", games=["risk"]))
