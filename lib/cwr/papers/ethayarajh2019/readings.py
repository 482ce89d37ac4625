"""Names and readings that the claims of Ethayarajh (2019), its checks and its notebooks share."""

STOPWORDS = tuple(                                          # the 26 of the check on section 4.2
    "the of to and a in is that for on with as by at from an be it was are this 's or not his its".split())
