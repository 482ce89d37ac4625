"""Trains the masked and the causal model, BERT and GPT-2 of the package transformers.

Input and output embeddings are tied, unless the recipe says otherwise.

Axes: r rows (windows of a step), l length of a window, d dimensions.
"""

import abc
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from transformers import (
    BertConfig,
    BertForMaskedLM,
    GPT2Config,
    GPT2LMHeadModel,
    PreTrainedTokenizerFast,
)

from cwr.corpora import Article
from cwr.encoders.quiet import quiet
from cwr.making.language_models import predictions, start_vectors, text
from cwr.making.language_models.learner import LanguageLearner, run_identity
from cwr.making.language_models.recipes import Recipe
from cwr.training.loop import seeded
from cwr.training.loss import cosine_regularisation, cross_entropy

NORM = 0.3  # of a token's start vector; random ones have 0.02 sqrt(192) = 0.28
HELD_OUT_WINDOWS = 64  # as many are predicted in a look on the way
HIDDEN, LEFT = 0.8, 0.1  # of a masked model's targets: shares shown as [MASK], and as they are


class TransformerLearner(LanguageLearner):
    """The base class of the causal and the masked learner."""

    pattern: str  # the special tokens around a text
    usual_bias: str  # `bias` of a recipe that leaves it to the family

    def __init__(
        self,
        recipe: Recipe,
        pieces: np.ndarray,
        tokenizer: Tokenizer,
        words: float,
        device: str = "cpu",
    ):
        """pieces: (pieces,), the text, from `text.encode`. words: the number of its words."""
        self.recipe = recipe
        self.identity = run_identity(recipe, pieces)
        self.tokenizer = tokenizer
        self.device = torch.device(device)
        context = np.full(recipe.size, text.PAD, np.uint16)  # behind the end
        self.pieces = np.append(pieces, context)
        self._batches, self._pieces_read = _order(self._ends(pieces), recipe)
        self._words_a_piece = words / len(pieces)
        self.steps = len(self._batches)
        self.classes = tokenizer.get_vocab_size()
        self._learned = text.learned(tokenizer)
        with seeded(recipe.seed):
            self.model = self._model(self.classes)
        self._set_bias(recipe.bias or self.usual_bias)
        if recipe.start == "counts":
            start = start_vectors.vectors(pieces, self.classes, recipe.dim, NORM, recipe.seed)
            for matrix in self.matrices:
                matrix.data.copy_(torch.from_numpy(start))
        self.model.to(self.device).train()

    def _ends(self, pieces: np.ndarray) -> np.ndarray:
        """Tells after which pieces a window can begin, (pieces,) bool: the ends of sentences."""
        return text.sentence_ends(self.tokenizer, pieces)

    @abc.abstractmethod
    def _model(self, vocabulary: int) -> torch.nn.Module:
        """Builds a model with random weights."""

    @abc.abstractmethod
    def outputs(self, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns the output layer's input, (n, d), and the pieces that a step predicts, (n,)."""

    @abc.abstractmethod
    def _predict(self, pieces: np.ndarray, size: int) -> predictions.Predictions:
        """Predicts other pieces, (pieces,), in windows of this size."""

    def loss(self, step: int) -> torch.Tensor:
        """Computes the mean loss of a step's pieces, in nats, plus the recipe's penalty, if any."""
        hidden, targets = self.outputs(step)
        head = self.model.get_output_embeddings()
        nats = cross_entropy(hidden, head.weight, head.bias, targets)
        penalty = self.recipe.penalty
        return nats + penalty * cosine_regularisation(head.weight) if penalty else nats

    @property
    def matrices(self) -> list[torch.nn.Parameter]:
        """The input embeddings and, if not tied to them, the output embeddings."""
        read = self.model.get_input_embeddings().weight
        predicting = self.model.get_output_embeddings().weight
        return [read] if predicting is read else [read, predicting]

    def _set_bias(self, bias: str) -> None:
        """Initialises the output bias: "zero", "none" (fixed at 0), "counts" (log frequencies)."""
        counts = np.bincount(self.pieces[: -self.recipe.size], minlength=self.classes) + 1.0
        start = np.log(counts / counts.sum()) if bias == "counts" else np.zeros(self.classes)
        head = self.model.get_output_embeddings()
        if head.bias is not None:
            head.bias.data.copy_(torch.from_numpy(start))
            head.bias.requires_grad_(bias != "none")
        elif bias != "none":
            head.bias = torch.nn.Parameter(torch.from_numpy(start).float())

    def words(self, step: int) -> float:
        return self._pieces_read[step] * self._words_a_piece

    def held_out(self, articles: Sequence[Article]) -> float:
        """Computes the mean loss, in nats, on the first 64 windows of held-out articles.

        All of a masked model's targets are hidden, which is harder than in training.
        """
        pieces = text.encode(self.tokenizer, articles)[: HELD_OUT_WINDOWS * predictions.SIZE]
        self.model.eval()
        predicted = self._predict(pieces, min(predictions.SIZE, self.recipe.size - 1))
        self.model.train()
        return float(predicted.nats.mean())

    def save(self, folder: Path) -> None:
        """Writes half-precision safetensors, configuration and tokenizer.

        An output bias of the causal model is left out, because GPT-2 has none.
        """
        folder.mkdir(parents=True, exist_ok=True)
        tokenizer = PreTrainedTokenizerFast(
            tokenizer_object=text.around(self.tokenizer, self.pattern),
            model_max_length=self.recipe.size,
            unk_token="[UNK]",
            pad_token="[PAD]",
            cls_token="[CLS]",
            sep_token="[SEP]",
            mask_token="[MASK]",
            clean_up_tokenization_spaces=False,
        )
        tokenizer.save_pretrained(folder)
        copy = type(self.model)(self.model.config).half()
        weights = self.model.state_dict()
        copy.load_state_dict({name: weights[name].half() for name in copy.state_dict()})
        with quiet():
            copy.save_pretrained(folder)

    def _windows(self, step: int) -> tuple[np.ndarray, np.ndarray]:
        """Returns ids (r, l), each row begun by [CLS], and which are new pieces, (r, l) bool."""
        batch = self._batches[step]
        size = int(batch[0, 2])
        positions = batch[:, :1] + np.arange(size - 1)
        starts = np.full(len(batch), text.START)
        ids = np.column_stack([starts, self.pieces[positions].astype(np.int64)])
        new = np.arange(size) <= batch[:, 1:2]
        new[:, 0] = False
        return ids, new

    def _run(self, base: torch.nn.Module, ids: np.ndarray) -> torch.Tensor:
        """Computes the last hidden states, (r, l, d); in bfloat16 on a GPU."""
        inputs = torch.as_tensor(ids, device=self.device)
        on_gpu = self.device.type == "cuda"
        with torch.autocast(self.device.type, torch.bfloat16, enabled=on_gpu):
            return base(input_ids=inputs).last_hidden_state


def _order(ends: np.ndarray, recipe: Recipe) -> tuple[list[np.ndarray], np.ndarray]:
    """Returns each step's windows, and the number of pieces read before each step, (steps + 1,).

    A step's windows are (r, 3): start, new pieces and length. Each epoch is shuffled separately.
    ends: (pieces,) bool, whether a sentence ends with a piece. recipe.short: the first share of all
    reading, in windows of a quarter of the size, four times as many per step.
    """
    total = recipe.epochs * len(ends)
    turn = int(recipe.short * total)
    batches = _phase(ends, 0, turn, recipe.size // 4, recipe.rows * 4, recipe.seed)
    batches += _phase(ends, turn, int(total), recipe.size, recipe.rows, recipe.seed)
    read = np.cumsum([0] + [batch[:, 1].sum() for batch in batches])
    return batches, read


def _phase(
    ends: np.ndarray, begin: int, stop: int, size: int, rows: int, seed: int
) -> list[np.ndarray]:
    """Returns batches of windows of one size, as in `_order`, through a part of the reading.

    begin, stop: pieces, counted over all epochs.
    """
    batches = []
    for epoch in range(begin // len(ends), -(-stop // len(ends))):
        low = max(begin - epoch * len(ends), 0)
        high = min(stop - epoch * len(ends), len(ends))
        windows = text.windows(ends[low:high], size - 1)
        windows[:, 0] += low
        np.random.default_rng((seed, epoch, size)).shuffle(windows)
        windows = np.column_stack([windows, np.full(len(windows), size)])
        batches += [windows[first : first + rows] for first in range(0, len(windows), rows)]
    return batches


class Causal(TransformerLearner):
    """A GPT-2 (Radford et al. 2019), which learns to predict each piece from those before it."""

    pattern = "[CLS] $A"
    usual_bias = "none"

    def _model(self, vocabulary: int) -> torch.nn.Module:
        recipe = self.recipe
        config = GPT2Config(
            vocab_size=vocabulary,
            n_positions=recipe.size,
            n_embd=recipe.dim,
            n_layer=recipe.layers,
            n_head=recipe.heads or recipe.dim // 64,
            resid_pdrop=0,
            embd_pdrop=0,
            attn_pdrop=0,
            bos_token_id=text.START,
            eos_token_id=text.END,
            pad_token_id=text.PAD,
            tie_word_embeddings=recipe.tied,
            use_cache=False,
            activation_function="gelu_pytorch_tanh",
        )  # GPT-2's own function, in one kernel
        return GPT2LMHeadModel(config)

    def outputs(self, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns the hidden states before a step's new pieces, (n, d), and the pieces, (n,)."""
        ids, new = self._windows(step)
        hidden = self._run(self.model.transformer, ids[:, :-1])  # (r, l - 1, d)
        new = torch.as_tensor(new[:, 1:], device=self.device)
        return hidden[new], torch.as_tensor(ids[:, 1:], device=self.device)[new]

    def _predict(self, pieces: np.ndarray, size: int) -> predictions.Predictions:
        return predictions.causal(self.model, pieces, size=size)


class Masked(TransformerLearner):
    """A BERT (Devlin et al. 2019), which learns to predict some pieces from all others.

    Of 10 targets 8 are hidden, 1 is replaced by a random piece and 1 is left (section 3.1).
    """

    pattern = "[CLS] $A [SEP]"
    usual_bias = "counts"

    def _model(self, vocabulary: int) -> torch.nn.Module:
        recipe = self.recipe
        config = BertConfig(
            vocab_size=vocabulary,
            max_position_embeddings=recipe.size,
            hidden_size=recipe.dim,
            num_hidden_layers=recipe.layers,
            num_attention_heads=recipe.heads or recipe.dim // 64,
            intermediate_size=4 * recipe.dim,
            hidden_dropout_prob=0,
            attention_probs_dropout_prob=0,
            pad_token_id=text.PAD,
            tie_word_embeddings=recipe.tied,
        )
        return BertForMaskedLM(config)

    def outputs(self, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns the transformed hidden states of a step's targets, (n, d), and targets, (n,)."""
        ids, new = self._windows(step)
        draw = np.random.default_rng((self.recipe.seed, step))
        inputs, is_target = self._corrupted(ids, new, draw)
        hidden = self._run(self.model.bert, inputs)  # (r, l, d)
        is_target = torch.as_tensor(is_target, device=self.device)
        transformed = self.model.cls.predictions.transform(hidden[is_target])  # (n, d)
        return transformed, torch.as_tensor(ids, device=self.device)[is_target]

    def _corrupted(
        self, ids: np.ndarray, new: np.ndarray, draw: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """Returns the corrupted ids that the model reads, and the mask of targets, both (r, l)."""
        is_target = new & (draw.random(ids.shape) < self.recipe.masked)
        if not is_target.any():
            is_target = new
        fate = draw.random(ids.shape)
        inputs = ids.copy()
        inputs[is_target & (fate < HIDDEN)] = text.MASK
        random = is_target & (fate >= HIDDEN + LEFT)
        learned = self._learned  # not one that never occurs
        inputs[random] = draw.integers(learned.start, learned.stop, random.sum())
        return inputs, is_target

    def _predict(self, pieces: np.ndarray, size: int) -> predictions.Predictions:
        return predictions.masked(self.model, pieces, size=size)
