"""Words of Wikipedia with the semantic class of what they name, as Zhao et al. (2020) probe it.

Their corpus, Wiki-PSE (Yaghoobzadeh et al., 2019), is a Wikipedia whose links are labelled by what
kind of thing they lead to: "Apple" the company, the fruit. Its sentences lie on one university's
server; its lists of words and classes are public. So here are the lists, a reader for a copy of the
sentences, and a corpus of our own made by the same idea from a piece of Wikipedia that pip brings:

    mentions.py    the corpus "wiki-anchors": links, later mentions, and their classes
    contexts.py    from mentions to what is probed: word, class, context, and the three splits
    released.py    Wiki-PSE's lists: words, classes, frequencies
    listed.py      the corpus "wiki-listed": running text, labelled by these lists
    archive.py     Wiki-PSE's sentences, from the archive that the authors offer
"""
