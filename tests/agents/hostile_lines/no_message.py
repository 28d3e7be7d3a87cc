from behaving import play, say

play(lambda message, answer: say(type="act", id=answer["id"], action=["uncover", 3, 4]))
