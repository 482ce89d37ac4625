"""Reads texts with labels on words and spans: word classes, trees, entities, coreference.

conllu.py     CoNLL-U: words by their forms in the text, word classes, dependencies
brackets.py   phrases as spans of words, from trees in brackets
entities.py   entities as spans, from GUM's brackets or from tags on words
sources.py    the corpora "gum", "ud-english-ewt", "teaching-treebank", "wikigold" and "wnut-17"
licensed.py   the corpora "ptb", "ontonotes" and "conll-2003", from folders of the reader's
definite_pronouns.py   the corpus "dpr": which of two candidates a pronoun means
labels.py     one interface to all of them: a label per word, or a table of spans with classes
"""

from cwr.corpora.treebanks.labels import SPLITS, numbers, span_table, word_labels

__all__ = ["SPLITS", "numbers", "span_table", "word_labels"]
