"""Make articles.csv of `wiki_text`: by it a rebuild says what share of its articles agrees.

CWR_DATA=folder python workflow/tables/wiki_text.py        (the folder that holds wiki_text)
"""

from cwr.corpora import wiki_text
from cwr.corpora.wiki_text.articles import LISTED, digest, first_words

TRAIN_WORDS = 200_000


def lines() -> list[str]:
    """The table's lines: all held-out articles, and the first train articles with 200,000 words."""
    train = first_words(TRAIN_WORDS, wiki_text.load("train"))
    table = ["id,part,digest"]
    for part, articles in (("heldout", wiki_text.load("heldout")), ("train", train)):
        for article in articles:
            table.append(f"{article.id},{part},{digest(article)}")
    return table


if __name__ == "__main__":
    LISTED.write_text("".join(f"{line}\n" for line in lines()), encoding="utf-8", newline="\n")
