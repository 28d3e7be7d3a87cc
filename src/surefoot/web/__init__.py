"""The page: a server that plays, watches and studies both games in the browser; see docs/page-protocol.md."""
