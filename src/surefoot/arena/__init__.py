"""Many games: play, statistics, and what is made of them."""
