"""How `cwr-static` was made, and what it is held against."""
