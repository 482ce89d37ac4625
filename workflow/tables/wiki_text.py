"""Make lib/cwr/wiki_text.csv, by which a rebuild of the text says what share of its articles agrees with ours.

    CWR_DATA=folder python workflow/tables/wiki_text.py        (the folder that holds wiki_text)
"""
from cwr import wiki_text

WORDS = 200_000


def lines() -> list[str]:
    """The table's lines: the held-out articles, and the train part's first ones that hold 200,000 words."""
    table = ["id,part,digest"]
    for part, enough in (("heldout", float("inf")), ("train", WORDS)):
        counted = 0
        for article in wiki_text.articles(part):
            if counted >= enough:
                break
            table.append(f"{article.id},{part},{wiki_text.digest(article)}")
            counted += sum(len(paragraph.split()) for paragraph in article.paragraphs)
    return table


if __name__ == "__main__":
    wiki_text.LISTED.write_text("".join(f"{line}\n" for line in lines()), encoding="utf-8", newline="\n")
