"""Make the two tables of `wiki_text`.

articles.csv: by it a rebuild says what share of its articles agrees. wiki_sample.csv: by it a page
says how many articles of the corpus "wiki-sample" our models have read.

CWR_DATA=folder python workflow/tables/wiki_text.py        (the folder that holds wiki_text)
"""

from collections.abc import Iterable
from pathlib import Path

from cwr.corpora import texts, wiki_text
from cwr.corpora.sentences import Article
from cwr.corpora.wiki_text.articles import LISTED, SAMPLE, article_digest, count_words, first_words

TRAIN_WORDS = 200_000


def lines() -> list[str]:
    """The table's lines: all held-out articles, and the first train articles with 200,000 words."""
    train = first_words(TRAIN_WORDS, wiki_text.load("train"))
    table = ["id,part,digest"]
    for part, articles in (("heldout", wiki_text.load("heldout")), ("train", train)):
        for article in articles:
            table.append(f"{article.id},{part},{article_digest(article)}")
    return table


def of_sample(train: Iterable[Article]) -> list[str]:
    """The lines of wiki_sample.csv: how many words of the train part stand before each article."""
    before, words = {}, 0
    for article in train:
        before[article.id] = words
        words += count_words([article])
    ids = sorted(article.id for article in texts.wiki_articles())
    return ["id,words_before", *(f"{number},{before.get(number, 'inf')}" for number in ids)]


def write(table: Path, lines: list[str]) -> None:
    """Write a table, a line each."""
    table.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write(LISTED, lines())
    write(SAMPLE, of_sample(wiki_text.load("train")))
