"""What a model card says: how well a model predicts text that it has not seen, beside count models of what it saw."""
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from tokenizers import Tokenizer
from transformers import BertForMaskedLM, GPT2LMHeadModel

from cwr import extraction
from cwr.corpora import Article, Corpus
from cwr.encoders import hub
from cwr.encoders.quiet import quiet
from cwr.extraction import targets
from cwr.measures.contextuality import unit_rows
from cwr.training import quality, text
from cwr.training.count_models import BothNeighbours, KneserNey

CARD = Path(__file__).with_name("card.md").read_text(encoding="utf-8")
_COUNTED = ("The token vectors, and so layer 0, began from these counts; what the book says of their change along "
            "training comes from a run with random ones.")
LAYER_0 = {
    "cwr-gpt": _COUNTED, "cwr-bert": _COUNTED,
    "cwr-elmo": "Only the word vectors of its training objective began from these counts, and they are not shipped; no "
                "layer of the model did.",
}
ABOUT = {
    "cwr-gpt": "a small causal model of the GPT-2 type",
    "cwr-bert": "a small masked model of the BERT type",
    "cwr-elmo": "a small bidirectional LSTM of the ELMo type, reading characters",
}
BEGINNING = 100 * quality.SIZE          # pieces of each text that are predicted again in seconds
KINDS = {"cwr-gpt": GPT2LMHeadModel, "cwr-bert": BertForMaskedLM}


def files(name: str) -> Path:
    """The folder of a shipped model: weights, card (README.md), quality.csv, curve.csv, along.csv."""
    return hub.find(name).folder


def predictor(name: str):
    """A shipped transformer with the part that predicts, in float32 on the CPU, and its vocabulary."""
    folder = files(name)
    with quiet():
        model = KINDS[name].from_pretrained(folder, dtype=torch.float32).eval()
    return model, Tokenizer.from_file(str(folder / "tokenizer.json"))


def first(articles: Sequence[Article], tokenizer: Tokenizer, pieces: int) -> tuple[np.ndarray, float]:
    """The first so many pieces of a text, and its characters a piece (blanks and ends of paragraphs are some)."""
    made = text.encode(tokenizer, articles)
    characters = sum(len(paragraph) + 1 for article in articles for paragraph in article.paragraphs)
    return made[:pieces], characters / len(made)


def causal(model, pieces: np.ndarray, characters: float) -> Iterator[dict]:
    """cwr-gpt: bits a character, nats and accuracy, and what the order of the words before is worth."""
    found = quality.causal(model, pieces)
    yield from _summary("cwr-gpt", found, characters)
    last = found.place % quality.SIZE == quality.SIZE - 1
    mixed = quality.causal(model, pieces, shuffle=0)
    yield {"by": "cwr-gpt", "measure": "nats lost when the words before are shuffled",
           "value": mixed.nats.mean() - found.nats[last].mean(), "n": len(mixed.nats)}


def masked(model, pieces: np.ndarray) -> tuple[list[dict], np.ndarray]:
    """cwr-bert: accuracy, top 5, nats of hidden pieces, the worth of the order; and the hidden places."""
    found = quality.masked(model, pieces)
    mixed = quality.masked(model, pieces, shuffle=True)
    return [*_summary("cwr-bert", found),
            {"by": "cwr-bert", "measure": "accuracy, first five", "value": (found.rank < 5).mean(),
             "n": len(found.rank)},
            {"by": "cwr-bert", "measure": "nats lost when the visible words are shuffled",
             "value": mixed.nats.mean() - found.nats.mean(), "n": len(mixed.nats)}], found.place


def bilstm(model, made: text.Words) -> Iterator[dict]:
    """cwr-elmo: perplexity over its word classes, forwards and backwards. model: a `bilstm.LanguageModel`."""
    for way, found in zip(("forward", "backward"), quality.bilstm(model, made), strict=True):
        yield {"by": "cwr-elmo", "measure": f"{way} perplexity", "value": np.exp(found.nats.mean()),
               "n": len(found.nats)}


def counted(seen: np.ndarray, pieces: np.ndarray, characters: float, vocabulary: int) -> Iterator[dict]:
    """The trigram of exactly the pieces that cwr-gpt saw, on the pieces that `causal` asks for."""
    asked = pieces[:len(pieces) // quality.SIZE * quality.SIZE].astype(np.int64)
    nats = -KneserNey.count(seen.astype(np.int64), vocabulary).log_probability(asked)
    yield {"by": "Kneser-Ney trigram", "measure": "nats", "value": nats.mean(), "n": len(nats)}
    yield {"by": "Kneser-Ney trigram", "measure": "bits a character",
           "value": nats.mean() / np.log(2) / characters, "n": len(nats)}


def counted_between(seen: np.ndarray, pieces: np.ndarray, hidden: np.ndarray, vocabulary: int) -> Iterator[dict]:
    """The counts of exactly the pieces that cwr-bert saw, for the hidden places, with both neighbours visible to it."""
    hidden = hidden[(hidden > 0) & (hidden < len(pieces) - 1)]
    left, own, right = (pieces[hidden + shift].astype(np.int64) for shift in (-1, 0, 1))
    both = BothNeighbours.count(seen.astype(np.int64), vocabulary)
    right_one = both.predict(left, right)[0] == own
    yield {"by": "counts of both neighbours", "measure": "accuracy", "value": right_one.mean(), "n": len(own)}
    yield {"by": "counts of both neighbours", "measure": "nats",
           "value": -both.log_probability(left, right, own).mean(), "n": len(own)}


def counted_words(seen: text.Words, made: text.Words, classes: int) -> Iterator[dict]:
    """The trigram of the word classes that cwr-elmo saw, in both directions."""
    trained, asked = (each.classes[each.stream].astype(np.int64) for each in (seen, made))
    for way, order in (("forward", 1), ("backward", -1)):
        nats = -KneserNey.count(trained[::order], classes).log_probability(asked[::order])[1:]
        yield {"by": "Kneser-Ney trigram", "measure": f"{way} perplexity", "value": np.exp(nats.mean()), "n": len(nats)}


def _summary(by: str, found: quality.Predictions, characters: float | None = None) -> Iterator[dict]:
    rows = {"nats": found.nats.mean(), "accuracy": (found.rank == 0).mean()}
    if characters is not None:
        rows["bits a character"] = rows["nats"] / np.log(2) / characters
    yield from ({"by": by, "measure": measure, "value": value, "n": len(found.nats)} for measure, value in rows.items())


def again(names: Sequence[str], articles: Sequence[Article]) -> pd.DataFrame:
    """The transformers' scores on the beginning of the Lee news, by their files and now: model, measure, then, now."""
    rows = []
    for name in names:
        model, tokenizer = predictor(name)
        pieces, characters = first(articles, tokenizer, BEGINNING)
        found = causal(model, pieces, characters) if name == "cwr-gpt" else masked(model, pieces)[0]
        stored = quality_of(name)
        stored = stored[stored["text"] == "lee, beginning"].set_index("measure")["value"]
        rows += [{"model": name, "measure": row["measure"], "then": stored[row["measure"]], "now": row["value"]}
                 for row in found]
    return pd.DataFrame(rows)


def neighbours(encoder, corpus: Corpus, words: Sequence[str], layer: int, n: int = 4) -> pd.DataFrame:
    """For each word the words whose mean vector over their occurrences is nearest, by cosine of centred vectors.

    Among all words that occur at least 5 times in the corpus. A word that does not is left out.
    """
    run = extraction.run(encoder, corpus, targets.frequent(corpus, 5), reducers=[extraction.sums()])
    known, sums = list(run.groups()), run.sums(layer)
    means = sums.sum / sums.count[:, None]
    units = unit_rows(means - means.mean(axis=0))
    rows = {}
    for word in (word for word in words if word in known):
        order = np.argsort(-units @ units[known.index(word)], kind="stable")
        others = [known[i] for i in order if known[i].lower() != word.lower()]
        rows[word] = ", ".join(others[:n])
    return pd.DataFrame({"word": rows.keys(), "nearest": rows.values()})


def completion(prompt: str, pieces: int = 24, seed: int = 0, temperature: float = 0.8) -> str:
    """How cwr-gpt goes on after a prompt: drawn, seeded, from its distribution, sharpened by a temperature below 1."""
    model, tokenizer = predictor("cwr-gpt")
    ids = tokenizer.encode(prompt).ids
    draw = torch.Generator().manual_seed(seed)
    for _ in range(pieces):
        with torch.no_grad():
            logits = model(torch.tensor([ids])).logits[0, -1].double() / temperature
        logits[:text.END] = -torch.inf                                      # no [PAD], [UNK], [CLS]
        ids.append(int(torch.multinomial(torch.softmax(logits, 0), 1, generator=draw)))
        if ids[-1] == text.END:
            break
    return tokenizer.decode(ids)


def filled(sentence: str, n: int = 5) -> list[str]:
    """The pieces that cwr-bert holds most probable in the place of [MASK]."""
    model, tokenizer = predictor("cwr-bert")
    ids = tokenizer.encode(sentence).ids
    with torch.inference_mode():
        best = model(torch.tensor([ids])).logits[0, ids.index(text.MASK)].topk(n).indices
    return [tokenizer.id_to_token(int(number)) for number in best]


def gate(name: str) -> list[tuple[str, float, float, bool]]:
    """What a model is asked, on held-out text: (what, reached, required, met).

    cwr-gpt: fewer bits a character than a Kneser-Ney trigram of exactly the words it saw. cwr-elmo: a lower perplexity
    than that trigram over its word classes, in each direction. cwr-bert: 33 % of the hidden pieces right, all of them
    hidden by [MASK].
    """
    table = quality_of(name)
    table = table[table["text"] == "held-out"].set_index(["by", "measure"])["value"]
    if name == "cwr-bert":
        reached = table[name, "accuracy"]
        return [("accuracy", reached, 0.33, reached >= 0.33)]
    measures = ["bits a character"] if name == "cwr-gpt" else ["forward perplexity", "backward perplexity"]
    pairs = [(measure, table[name, measure], table["Kneser-Ney trigram", measure]) for measure in measures]
    return [(measure, reached, rival, reached < rival) for measure, reached, rival in pairs]


def quality_of(name: str) -> pd.DataFrame:
    """quality.csv of a shipped model: text, by (the model or a count model), measure, value, n (predictions)."""
    return pd.read_csv(files(name) / "quality.csv")


def markdown(name: str) -> str:
    """The card of a shipped model, from the files beside its weights."""
    made = json.loads((files(name) / "made.json").read_text(encoding="utf-8"))
    table = quality_of(name)
    table = table[~table["text"].str.endswith("beginning")]
    rows = [f"| {row.text} | {row.by} | {row.measure} | {row.value:.3f} | {row.n:,} |" for row in table.itertuples()]
    asked = [f"- {what}: {reached:.3f}, required {'at least' if name == 'cwr-bert' else 'below'} {required:.3f}: "
             f"{'met' if met else '**not met**'}." for what, reached, required, met in gate(name)]
    start = "counts of its text" if "start='counts'" in made["recipe"] else "random vectors"
    return CARD.format(name=name, about=ABOUT[name], rows="\n".join(rows), gate="\n".join(asked), start=start,
                       layer_0=LAYER_0[name], **{key: f"{value:,}" if isinstance(value, int) else value
                                                 for key, value in made.items() if key != "model"})
