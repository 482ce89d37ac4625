"""Makes `cwr-static` from a text, and the count model that is its rival."""
