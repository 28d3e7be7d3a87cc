"""Risk on the page: games that go on (`session`), and questions that need no game (`api`)."""
