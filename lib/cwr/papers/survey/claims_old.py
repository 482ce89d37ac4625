"""Claims of the post "contextual word representations, part 2", held against the numbers of the papers it reports.

The post prints no numbers; the table holds those of its sources (`survey_numbers.sources` says where they were read).
Statements about BERT, ELMo or an untrained encoder are judged on the authors' validation scores. "Secondary source" in
a tolerance means that the numbers come from reading notes on a paper that was not at hand.
"""
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd

from cwr.papers.claims import Claim, Needs
from cwr.papers.old import one_draw_at_a_time
from cwr.papers.survey.checks import CHECKS as CHECKS
from cwr.papers.survey.readings import (
    CUMULATIVE,
    EDGE,
    ERROR,
    MIX,
    SEMANTIC,
    SYNTAX,
    architecture_share,
    centre_of_gravity,
    expected_layer,
    gains,
    pairs_of,
)
from cwr.papers.survey.readings import published as published
from cwr.papers.survey.readings import sources as sources
from cwr.tables import where

HEADLINES = ("sur-random-arch", "sur-lm-beats-mt", "sur-pipeline-order.constituents-expected-layer",
             "sur-trees-in-geometry", "sur-bert-edge")
RUN_TO_RUN = 0.18                                           # centre of gravity of two runs on one task, in layers
SINGLE, ARCHITECTURES, PRETRAINED = "single_layer_probe_f1", "architecture_probe_f1", "pretraining_transfer"
MORE_TEXT, FROZEN = "pretraining_transfer_by_text", "frozen_probe_score"
UUAS, ROOT, NSPR = "structural_probe_uuas_percent", "structural_probe_root_percent", "structural_probe_nspr"
PRONOUNS, PRONOUN_BASELINE = "pronoun_coreference_accuracy", "pronoun_coreference_accuracy_baseline"
NO_NUMBER = "the source's numbers were not at hand; of its abstract and of reading notes only words are known"
ANY = ()


def _in_any_family(claim: Claim) -> Claim:
    """A claim about one family that speaks in no layer numbers: its transfer is the same predicate on any model."""
    return replace(claim, any_model=replace(claim, id=f"{claim.id}.transfer", needs=replace(claim.needs, families=ANY)))


def _in_order(tasks: tuple[str, ...], place: Callable, tie: float = 0.0) -> Callable[[pd.DataFrame], bool]:
    """Predicate: tasks come in this order, each later one higher (by more than -tie)."""
    return lambda table: bool((np.diff([place(table, task) for task in tasks]) > -tie).all())


def _positive(frames: list[pd.DataFrame], share: float = 1.0, beyond: bool = False) -> bool:
    """Whether in every comparison at least this share of tasks is positive (beyond the combined error, if asked)."""
    return bool(frames) and all((f["gain"] > (f["error"] if beyond else 0)).mean() >= share for f in frames)


def _most(frames: list[pd.DataFrame]) -> bool:
    """More than half of the tasks beyond the combined error, in every comparison."""
    return _positive(frames, 0.5 + 1e-9, beyond=True)


def _random(table: pd.DataFrame, beyond: bool = False) -> bool:
    four = ["pos", "dependencies", "entities", "coreference"]
    found = gains(table, "random", table, "lex").reindex(four)
    shares = architecture_share(table).reindex(four)
    return int((found["gain"] > (found["error"] if beyond else 0)).sum()) >= 3 and bool((shares < 0.5).all())


def _means(table: pd.DataFrame, tasks: tuple[str, ...]) -> float:
    return float(gains(table, "mix", table, "lex")["gain"].reindex(tasks).mean())


def _above(table: pd.DataFrame, measure: str) -> bool:
    """Every model's best value of a measure (over its layers) above every value of the measure's baselines."""
    best = where(table, measure=measure).groupby("model")["value"].max()
    return bool(best.min() > where(table, measure=f"{measure}_baseline")["value"].max())


def _few_dimensions(table: pd.DataFrame) -> bool:
    by_rank = {measure: where(table, measure=measure).assign(k=lambda f: pd.to_numeric(f["k"])).set_index("k")["value"]
               for measure in ("structural_probe_uuas", "structural_probe_dspr")}
    uuas, dspr = by_rank.values()
    return bool(uuas[64] >= 0.98 * uuas.max() and dspr[dspr.index.max()] >= 0.5)


def _best_layers(table: pd.DataFrame, measure: str) -> pd.Series:
    """By task, the layer with the largest value of a measure."""
    part = where(table, measure=measure)
    return part.loc[part.groupby("task")["value"].idxmax()].set_index("task")["layer"].astype(float)


def _architectures(table: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Scores of the architectures by task (models, tasks): contextual and static."""
    def wide(estimator: str) -> pd.DataFrame:
        part = where(table, measure=ARCHITECTURES, estimator=estimator)
        return part.pivot(index="model", columns="task", values="value")
    return wide("mix"), wide("lex")


def _close(table: pd.DataFrame) -> bool:
    contextual, static = _architectures(table)
    return bool((contextual.max() - contextual.min() < 0.5 * (contextual.mean() - static.mean())).all())


def _lstm_first(table: pd.DataFrame) -> bool:
    best = where(table, estimator="mix").sort_values("value").groupby("task")["family"].last()
    return bool((best == "bilstm").all())


def _by_role(table: pd.DataFrame) -> pd.DataFrame:
    """Transfer by target (rows) and by what the pretraining task is to it: nearest, other, language model."""
    part = where(table, measure=PRETRAINED)
    return part.pivot_table(index="task", columns="estimator", values="value", aggfunc="max")


def _more_text(table: pd.DataFrame) -> bool:
    part = where(table, measure=MORE_TEXT)
    means = part.groupby(pd.to_numeric(part["k"]))["value"].mean()
    supervised = where(table, measure=PRETRAINED)
    supervised = supervised[(supervised["estimator"] != "language model")].groupby("class")["value"].mean()
    return bool((np.diff(means) > 0).all() and means.iloc[-1] >= supervised.max())


def _coreference_on_top(table: pd.DataFrame) -> bool:
    part = where(table, measure=PRONOUNS)
    best = part.loc[part.groupby("model")["value"].idxmax()]
    depth = part.groupby("model")["layer"].max().reindex(best["model"]).to_numpy(dtype=float)
    return _above(table, PRONOUNS) and bool((best["layer"].to_numpy(dtype=float) > depth / 2).all())


def _falls(table: pd.DataFrame, first: int) -> bool:
    """Perplexity falls from layer 0 up, and so does the mean transfer score from layer `first` up."""
    perplexity, transfer = (where(table, measure=m).groupby("layer")["value"].mean() for m in
                            ("layer_perplexity", "layer_transfer_score"))
    return bool((np.diff(perplexity) < 0).all() and (np.diff(transfer[transfer.index >= first]) < 0).all())


def _in_the_middle(table: pd.DataFrame) -> bool:
    depth = where(table, measure=SINGLE)["layer"].max()
    return bool(_best_layers(table, SINGLE).between(np.ceil(depth / 4), depth - 1).mean() >= 0.5)


def _frozen(table: pd.DataFrame) -> pd.DataFrame:
    return where(table, measure=FROZEN).pivot(index="task", columns="estimator", values="value")


def _needs_more(table: pd.DataFrame) -> bool:
    gain = _frozen(table)["bilstm"] - _frozen(table)["linear"]
    return bool(gain["entities"] > 1.0 and gain["entities"] > gain["pos"])


ARCHITECTURE = [
    Claim("sur-arch-four-models", "Architecture, paragraph 1",
          "Language models of four kinds (two- and four-layer biLSTM, transformer, gated CNN) all beat static vectors.",
          Needs((ARCHITECTURES,), ANY, compares=True),
          lambda t: bool((_architectures(t)[0] > _architectures(t)[1]).all(axis=None)),
          "each contextual score above the static one, in each task",
          unprinted="relative cuts of the error are known from reading notes, the scores are not"),
    Claim("sur-lstm-best", "Architecture, paragraph 2", "The LSTMs are best on inference, NER and other tasks.",
          Needs((ARCHITECTURES,), ("bilstm",), compares=True, beside=("causal", "convolutional")), _lstm_first,
          "the best model of each task is a biLSTM",
          unprinted=NO_NUMBER, any_model="it compares families: without them nothing is left of it"),
    Claim("sur-lstm-best.close", "Architecture, paragraph 2", "The others are not far behind.",
          Needs((ARCHITECTURES,), ANY, compares=True), _close,
          "spread of the architectures below half of their mean gain over static vectors", unprinted=NO_NUMBER),
    Claim("sur-arch-little", "Architecture, paragraph 2", "The kind of network has no profound effect on quality.",
          Needs((ARCHITECTURES,), ANY, compares=True), _close,
          "spread of the architectures below half of their mean gain over static vectors",
          unprinted="the POS probes of all architectures lie close together by reading notes, but no static baseline "
          "stands beside them"),
    *[_in_any_family(claim) for claim in (
        Claim("sur-random-arch", "Architecture, paragraph 3",
              "An untrained encoder of the same architecture already improves over the lexical baseline.",
              Needs((EDGE,), ("bilstm",)), _random,
              "random minus lexical above 0 on 3 of 4 tasks (pos, dependencies, entities, coreference), and less than "
              "half of the trained gain on each"),
        Claim("sur-random-arch.beyond-error", "Architecture, paragraph 3",
              "The improvement exceeds the error of the two scores.",
              Needs((EDGE, ERROR), ("bilstm",)), lambda t: _random(t, beyond=True),
              "as above, beyond the combined error"),
        Claim("sur-random-arch.all-positive", "Architecture, paragraph 3",
              "The untrained encoder improves over the lexical baseline in every task.",
              Needs((EDGE,), ("bilstm",)), lambda t: _positive([gains(t, "random", t, "lex")]), "above 0 in each task",
              "There is no run on the Winograd task. Both SPR tasks and both relation tasks lie inside the error."),
        Claim("sur-training-dominates", "Architecture, paragraph 4",
              "Training adds much more than the architecture.",
              Needs((EDGE,), ("bilstm",)), lambda t: bool(architecture_share(t).mean() < 0.3),
              "mean share of the untrained encoder in the gain < 0.30",
              "The charitable reading, a mean over tasks; the paper's own sentence, by reading notes, is a bound on "
              "the improvement and does not say over what it is averaged."),
        Claim("sur-training-dominates.each-task", "Architecture, paragraph 4",
              "Training adds much more than the architecture, in every task.",
              Needs((EDGE,), ("bilstm",)), lambda t: bool((architecture_share(t) < 0.3).all()), "share < 0.30 each",
              "The strict reading, which the post does not state. Coreference and dependencies lie above."))],
]

TRANSLATION = [
    Claim("sur-cove-ctx", "Machine translation, paragraph 1",
          "The hidden states of a translation encoder are usable contextual vectors.",
          Needs((EDGE,), ("translation", "static"), compares=True),
          lambda t: _positive(pairs_of(t, "translation", "states", "static", "lex")), "CoVe above GloVe in each task",
          any_model="it is about one encoder and its own input vectors"),
    Claim("sur-cove-ctx.beyond-error", "Machine translation, paragraph 1",
          "In most tasks they gain more than the error of the two scores.",
          Needs((EDGE, ERROR), ("translation", "static"), compares=True),
          lambda t: _most(pairs_of(t, "translation", "states", "static", "lex")),
          "beyond the combined error in more than half of the tasks",
          "SPR2 lies inside the error, Winograd on its edge.", any_model="as sur-cove-ctx"),
    Claim("sur-lm-beats-mt", "Machine translation, paragraph 1",
          "Pretraining as a language model beats pretraining as a translation model.",
          Needs((EDGE,), ("bilstm", "translation"), compares=True),
          lambda t: all(f["gain"].mean() > 0 for f in pairs_of(t, "bilstm", "mix", "translation", "states")),
          "mean of ELMo minus CoVe > 0",
          "True as a report of two models. They differ in architecture, objective and data at once, so it is no "
          "controlled comparison of objectives.", any_model="it compares two released models"),
    Claim("sur-lm-beats-mt.beyond-error", "Machine translation, paragraph 1",
          "In most tasks the difference exceeds the error of the two scores.",
          Needs((EDGE, ERROR), ("bilstm", "translation"), compares=True),
          lambda t: _most(pairs_of(t, "bilstm", "mix", "translation", "states")),
          "beyond the combined error in more than half of the tasks",
          "SemEval relations, SPR2 and Winograd lie inside the error.", any_model="as sur-lm-beats-mt"),
    Claim("sur-bert-confirms", "Machine translation, paragraph 1",
          "BERT confirms that self-supervised pretraining of language models helps.", Needs(()), None, "no predicate",
          unprinted="it rests on GLUE, whose numbers were not at hand and whose test labels are not public"),
    Claim("sur-related-task", "Machine translation, paragraph 2",
          "At equal data, pretraining on a task close to the target transfers best.",
          Needs((PRETRAINED,), ANY), lambda t: bool((_by_role(t)["nearest"] > _by_role(t)["other"]).all()),
          "for each target its nearest task is the best supervised pretraining task",
          unprinted="the source's abstract says so; its numbers were not at hand"),
    Claim("sur-related-task.lm-average", "not in the post; its source's abstract",
          "At equal data, pretraining as a language model is the best on average.",
          Needs((PRETRAINED,), ANY),
          lambda t: where(t, measure=PRETRAINED).groupby("class")["value"].mean().idxmax() == "language model",
          "the language model has the largest mean over targets",
          unprinted="the source's abstract says so; its numbers were not at hand"),
    Claim("sur-big-lm-levels", "Machine translation, paragraph 2",
          "A language model pretrained on large amounts of text performs comparably to a related task.",
          Needs((PRETRAINED, MORE_TEXT), ANY), _more_text,
          "scores rise with the amount of text and end at or above the best supervised task on average",
          "Understated: the source's abstract says that more data gives the best results. The post's next sentence "
          "says that large-scale pretraining does well, which agrees.",
          unprinted="the source's abstract says so; its numbers were not at hand"),
]

_PLACE = "Semantic similarity, paragraph 4 (also the last section)"
_FIVE = ("pos", "{}", "entities", "srl", "coreference")
_LIST = ("pos", "constituents", "dependencies", "srl", "coreference")


def _pipeline(reading: str, says: str, tasks: tuple[str, ...], because: str) -> list[Claim]:
    """One reading of the pipeline's order by both metrics."""
    by = [("expected-layer", "the expected layer", CUMULATIVE, expected_layer),
          ("centre-of-gravity", "the centre of gravity", MIX, centre_of_gravity)]
    return [_in_any_family(Claim(f"sur-pipeline-order.{reading}-{name}", _PLACE, f"{says}, by {words}.",
                                 Needs((measure,), ("masked",)), _in_order(tasks, place),
                                 f"{words} rises from each task to the next: {', '.join(tasks)}", because))
            for name, words, measure, place in by]


def _five(parsing: str) -> tuple[str, ...]:
    return tuple(task.format(parsing) for task in _FIVE)


HIERARCHY = [
    Claim("sur-lower-layers-local", "Hierarchy, first heading",
          "Local information lives in lower layers, long-range information in higher ones.",
          Needs((SINGLE,), ANY), lambda t: bool((b := _best_layers(t, SINGLE))["pos"] < b["coreference"]),
          "the best single layer for pos lies below that for coreference",
          unprinted="scores of single layers are not printed, only of layers 0 to l together"),
    *[_in_any_family(Claim(f"sur-lower-layers-local.{name}", "Hierarchy, first heading",
                           f"Part of speech is found lower than coreference, by {words}.",
                           Needs((measure,), ("masked",)), _in_order(("pos", "coreference"), place),
                           f"{words} of pos below that of coreference"))
      for name, words, measure, place in (
          ("expected-layer", "the expected layer", CUMULATIVE, expected_layer),
          ("centre-of-gravity", "the centre of gravity", MIX, centre_of_gravity))],
    Claim("sur-heatmap-np", "Semantic similarity, paragraph 2",
          "In the lowest contextual layer the words of one noun phrase are similar to one another.",
          Needs(("noun_phrase_cosine_gain",), ANY),
          lambda t: bool((g := where(t, measure="noun_phrase_cosine_gain").set_index("layer")["value"])[1] > 0
                         and g[1] > g[g.index.max()]),
          "cosine within minus across noun phrases at equal distance: above 0 in layer 1 and above the top layer's",
          unprinted="a picture without numbers"),
    Claim("sur-heatmap-verbs", "Semantic similarity, paragraph 2",
          "In the top layer the verbs of a sentence are similar to one another.", Needs(("verb_cosine_gain",), ANY),
          lambda t: bool((g := where(t, measure="verb_cosine_gain").set_index("layer")["value"])[g.index.max()] > g[1]),
          "cosine of verb pairs minus verb and non-verb at equal distance: larger in the top layer than in layer 1",
          unprinted="a picture without numbers"),
    Claim("sur-coref-unsup", "Semantic similarity, paragraph 3",
          "Coreference without training confirms it, and works best in upper layers.",
          Needs((PRONOUNS, PRONOUN_BASELINE), ANY, compares=True), _coreference_on_top,
          "the best layer beats every baseline and lies above half of the depth",
          unprinted="the layer of the maximum is known in words only (secondary source)"),
    Claim("sur-coref-unsup.beats-baselines", "Semantic similarity, paragraph 3",
          "Every architecture's best layer finds more antecedents than the best rule.",
          Needs((PRONOUNS, PRONOUN_BASELINE), ANY, compares=True), lambda t: _above(t, PRONOUNS),
          "above each baseline (secondary source)",
          "The strongest rule, the first noun of the same number, uses number agreement, as the vectors do."),
    Claim("sur-pipeline-order", _PLACE,
          "BERT resolves part of speech, parsing, entities, semantic roles and coreference in that order.", Needs(()),
          None, "see its readings",
          "The post reports the abstract of its source faithfully; abstract and results section of that paper order "
          "different sets of tasks.",
          unprinted="\"parsing\" can mean constituents or dependencies, and the answer differs: see the readings"),
    *_pipeline("constituents", "In the claimed order, if parsing means constituents", _five("constituents"),
               "The charitable reading."),
    *_pipeline("dependencies", "In the claimed order, if parsing means dependencies", _five("dependencies"),
               "Entities come before dependencies. The dependencies were annotated on another corpus than the other "
               "tasks, so this comparison crosses corpora."),
    *_pipeline("paper-list", "In the order of the source's results section, which leaves entities out", _LIST,
               "By the centre of gravity semantic roles and dependencies differ by less than two runs of one task do."),
    _in_any_family(Claim("sur-pipeline-order.paper-list-centre-of-gravity-tie", _PLACE,
                         "As before, with differences below the noise of a run counted as ties.",
                         Needs((MIX,), ("masked",)), _in_order(_LIST, centre_of_gravity, RUN_TO_RUN),
                         "no step down of 0.18 layers or more", "The charitable reading of the one before. The noise "
                         "is known from one pair of runs on a task with almost equal weights.")),
    Claim("sur-trees-in-geometry", "Hierarchy, paragraphs on syntax",
          "Parse trees can be recovered from the vectors by one linear map.",
          Needs((UUAS, f"{UUAS}_baseline"), ANY, compares=True), lambda t: _above(t, UUAS),
          "UUAS of each model above every baseline (secondary source)",
          "The strongest baseline is an untrained encoder over the input layer."),
    Claim("sur-sqdist", "Hierarchy, paragraphs on syntax",
          "After the map the squared distance of two words is their number of edges in the tree.",
          Needs(("structural_probe_uuas", "structural_probe_dspr"), ANY), _few_dimensions,
          "UUAS with 64 dimensions at least 0.98 of the best, and Spearman correlation of distances >= 0.5"),
    Claim("sur-sqnorm-depth", "Hierarchy, paragraphs on syntax",
          "After the map the squared norm of a word is its depth in the tree.",
          Needs((ROOT, f"{ROOT}_baseline", NSPR, f"{NSPR}_baseline"), ANY, compares=True),
          lambda t: _above(t, ROOT) and _above(t, NSPR),
          "root found and depth correlation above every baseline (secondary source)",
          "The baseline \"the first verb is the root\" is not printed."),
    Claim("sur-dist-depth-suffice", "Hierarchy, paragraphs on syntax",
          "Distances between all words and their depths are enough to rebuild the tree.",
          Needs(("edges_rebuilt_from_distances", "edges_oriented_by_depth"), ANY),
          lambda t: bool((t["value"] == 1).all()), "all edges, all directions",
          "True as mathematics: words at distance 1 are joined, and the less deep of the two is the head. Distances "
          "alone give the tree without directions.", unprinted="a statement of mathematics, not of a measurement"),
]

COMPARISON = [
    Claim("sur-bert-glue", "Settling the debate, paragraph 1", "BERT is better than ELMo on GLUE.", Needs(()), None,
          "no predicate", unprinted="the numbers of GLUE were not at hand and its test labels are not public"),
    Claim("sur-bert-edge", "Settling the debate, paragraph 2",
          "BERT is better than ELMo on most syntactic and semantic tasks.",
          Needs((EDGE,), ("masked", "bilstm"), compares=True),
          lambda t: _positive(pairs_of(t, "masked", "mix", "bilstm", "mix"), 8 / 11),
          "each masked model better in at least 8 of 11 tasks", any_model="it compares families"),
    Claim("sur-bert-edge.beyond-error", "Settling the debate, paragraph 2",
          "In most tasks the difference exceeds the error of the two scores.",
          Needs((EDGE, ERROR), ("masked", "bilstm"), compares=True),
          lambda t: _most(pairs_of(t, "masked", "mix", "bilstm", "mix")),
          "beyond the combined error in more than half of the tasks, for each masked model",
          "Winograd lies only just outside for BERT-large.", any_model="it compares families"),
]

PRACTICE = [
    Claim("sur-linear-enough", "In practice, bullet 1", "A linear layer on frozen vectors is enough for most tasks.",
          Needs((FROZEN,), ANY),
          lambda t: bool(((_frozen(t).max(axis=1) - _frozen(t)["linear"]) <= 1.0).mean() >= 0.5),
          "best probe minus linear probe <= 1.0 point in at least half of the tasks", unprinted=NO_NUMBER),
    Claim("sur-ner-needs-more", "In practice, bullet 1",
          "Entity recognition and a few other tasks need more parameters than a linear layer.",
          Needs((FROZEN,), ANY), _needs_more, "biLSTM minus linear > 1.0 point for entities, and more than for pos",
          unprinted=NO_NUMBER),
    *[_in_any_family(claim) for claim in (
        Claim("sur-syntax-over-semantics", "In practice, bullet 2",
              "Contextual vectors gain more over static ones on syntax than on semantics.",
              Needs((EDGE,), ("bilstm",)), lambda t: _means(t, SYNTAX) > _means(t, ("coreference", "spr1", "spr2")),
              "mean gain of pos, constituents, dependencies above that of coreference, spr1, spr2",
              "The charitable reading. The gain on SemEval relations is larger than each of these, but a bag of words "
              "closes most of it."),
        Claim("sur-syntax-over-semantics.all-semantic", "In practice, bullet 2",
              "The same against all semantic tasks.", Needs((EDGE,), ("bilstm",)),
              lambda t: _means(t, SYNTAX) > _means(t, SEMANTIC), "mean gain above that of all seven semantic tasks"),
        Claim("sur-syntax-over-semantics.no-semantic-gain", "In practice, bullet 2",
              "On tasks that demand semantic understanding contextual vectors do not gain over static ones.",
              Needs((EDGE, ERROR), ("bilstm",)),
              lambda t: not (lambda g: (g["gain"] > g["error"]).any())(gains(t, "mix", t, "lex").reindex(SEMANTIC)),
              "no gain beyond the combined error on any of the seven",
              "The wording taken strictly (\"and not on tasks demanding semantic understanding\"). The source's "
              "abstract says comparably small improvements, not none."))],
    Claim("sur-task-contextualization", "In practice, bullet 2",
          "Semantic tasks need contextualisation that is trained on the task.", Needs((FROZEN,), ANY),
          lambda t: bool((_frozen(t)["bilstm"] - _frozen(t)["mlp"]).reindex(SEMANTIC).mean() > 0),
          "biLSTM minus MLP of the same size > 0 on average over semantic tasks", unprinted=NO_NUMBER),
    Claim("sur-elmo-layer1", "In practice, bullet 3", "In ELMo a low layer serves a range of tasks best.",
          Needs((MIX,), ("bilstm",), n_layers=2), lambda t: bool((_best_layers(t, MIX) == 1).mean() >= 0.75),
          "layer 1 has the largest mixing weight in at least 6 of 8 tasks",
          "A weight is not a score: layers of long vectors need less weight. For relations layer 1 leads by less "
          "than 0.001.",
          any_model=Claim("sur-elmo-layer1.transfer", "In practice, bullet 3",
                         "A contextual layer in the lower half serves most tasks best.", Needs((MIX,), ANY),
                         lambda t: bool(_best_layers(t, MIX).between(1, t["layer"].max() / 2).mean() >= 0.75),
                         "the largest mixing weight lies in layers 1 to L/2 in three quarters of the tasks")),
    _in_any_family(Claim("sur-bert-middle", "In practice, bullet 3", "In BERT some of the middle layers do well.",
                         Needs((SINGLE,), ("masked",)), _in_the_middle,
                         "the best layer lies in L/4 to L - 1 for at least half of the tasks",
                         unprinted="scores of single layers are not printed; reading notes give ranges of layers")),
    _in_any_family(Claim("sur-elmo-monotone", "In practice, bullet 4",
                         "ELMo's top layers are best as language models; other performance falls from layer to layer.",
                         Needs(("layer_perplexity", "layer_transfer_score"), ("bilstm",)), lambda t: _falls(t, 1),
                         "perplexity falls with depth, and the mean transfer score falls from layer 1 up",
                         "The charitable reading, \"layer 0\" being the first contextual layer, counted from 0.",
                         unprinted=NO_NUMBER)),
    _in_any_family(Claim("sur-elmo-monotone.from-input", "In practice, bullet 4",
                         "The same, with layer 0 as the input layer.",
                         Needs(("layer_perplexity", "layer_transfer_score"), ("bilstm",)), lambda t: _falls(t, 0),
                         "perplexity falls with depth, and so does the mean transfer score from layer 0 up",
                         "By reading notes ELMo's input layer, a character CNN, is the weakest for transfer.",
                         unprinted=NO_NUMBER)),
]

CLOSING = [
    Claim("sur-higher-abstract", "closing paragraph", "Higher layers are more abstract, as in image networks.",
          Needs(()), None, "no predicate",
          unprinted="an analogy, not testable as worded; its testable part is sur-pipeline-order"),
    Claim("sur-drop-in", "closing paragraph", "Contextual vectors are a drop-in addition with results near the best.",
          Needs(()), None, "no predicate", unprinted="bound to its time: \"near the best\" moves"),
    Claim("sur-bert-revises", "last section", "BERT revises lower-level decisions in the light of higher-level ones.",
          Needs(("net_reversal_rate",), ANY), lambda t: bool((t["value"] > 0).all()),
          "rate of reversed firm decisions above that of two probes on one layer",
          "The post repeats its source's account and says itself that the source does not show it in numbers.",
          unprinted="the source shows examples, no rate"),
    Claim("sur-no-quant", "last section", "Its source has no quantitative test of such reversals.", Needs(()), None,
          "no predicate", unprinted="true of that paper's text, which picks examples by a rule; no number decides it"),
    Claim("sur-attention-flips", "last section", "Papers on attention deal with such reversals.", Needs(()), None,
          "no predicate", unprinted="another sense of the word: there a decision flips when attention weights are "
          "erased, not from one layer to the next"),
]

CLAIMS = one_draw_at_a_time(ARCHITECTURE + TRANSLATION + HIERARCHY + COMPARISON + PRACTICE + CLOSING)
