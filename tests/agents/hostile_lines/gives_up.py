from behaving import play, say

play(lambda message, answer: say(type="error", id=answer["id"], message="I have lost\nthe thread"))
