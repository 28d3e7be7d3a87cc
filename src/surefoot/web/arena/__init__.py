"""The arena on the page: studies are started, watched, stopped and looked into."""
