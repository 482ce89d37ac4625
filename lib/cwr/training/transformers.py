"""The masked and the causal model while they are trained: BERT and GPT-2 as transformers has them, tied."""
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
from cwr.training import counts, quality, text
from cwr.training.language_models import Recipe
from cwr.training.loss import cross_entropy

NORM = 0.3                  # of a token's vector at the start; near what random ones have (0.02 sqrt(192) = 0.28)
PATTERNS = {"masked": "[CLS] $A [SEP]", "causal": "[CLS] $A"}


class TransformerLearner:
    """What both share: the order of the windows, a step's pieces, and saving. See `Learner`."""

    def __init__(self, recipe: Recipe, pieces: np.ndarray, tokenizer: Tokenizer, words: float, device: str = "cpu"):
        """pieces: the text as `text.encode` gives it. words: its blank-separated words."""
        torch.manual_seed(recipe.seed)
        self.recipe, self.tokenizer, self.device = recipe, tokenizer, torch.device(device)
        ends = text.sentence_ends(tokenizer, pieces)
        self.pieces = np.append(pieces, np.full(recipe.size, text.PAD, np.uint16))      # context behind the end
        self._batches, self._read = _order(ends, recipe)
        self._words_a_piece = words / len(pieces)
        self.steps = len(self._batches)
        self.model = self._model(tokenizer.get_vocab_size(with_added_tokens=True))
        if recipe.start == "counts":
            found = counts.vectors(pieces, tokenizer.get_vocab_size(), recipe.dim, NORM, recipe.seed)
            self.model.get_input_embeddings().weight.data.copy_(torch.from_numpy(found))
        self.model.to(self.device).train()

    def words(self, step: int) -> float:
        return self._read[step] * self._words_a_piece

    def state(self) -> dict:
        return {}

    def restore(self, state: dict) -> None:
        pass

    def held_out(self, articles: Sequence[Article]) -> float:
        """On 64 windows; masked: every chosen piece hidden, which is harder than what is trained."""
        pieces = text.encode(self.tokenizer, articles)[:64 * quality.SIZE]
        self.model.eval()
        found = getattr(quality, self.recipe.family)(self.model, pieces, size=min(quality.SIZE, self.recipe.size - 1))
        self.model.train()
        return float(found.nats.mean())

    def save(self, folder: Path) -> None:
        """Half-precision safetensors, configuration and tokenizer."""
        folder.mkdir(parents=True, exist_ok=True)
        made = PreTrainedTokenizerFast(
            tokenizer_object=text.around(self.tokenizer, PATTERNS[self.recipe.family]),
            model_max_length=self.recipe.size, unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]",
            sep_token="[SEP]", mask_token="[MASK]", clean_up_tokenization_spaces=False)
        made.save_pretrained(folder)
        state = {name: tensor.detach().half().cpu() for name, tensor in self.model.state_dict().items()}
        half = type(self.model)(self.model.config).half()
        half.load_state_dict(state)
        half.save_pretrained(folder)

    def _windows(self, step: int) -> tuple[np.ndarray, np.ndarray]:
        """(rows, length) ids, each row begun by [CLS], and (rows, length) whether a piece is new in its row."""
        batch = self._batches[step]
        size = int(batch[0, 2])
        places = batch[:, :1] + np.arange(size - 1)
        ids = np.column_stack([np.full(len(batch), text.START), self.pieces[places].astype(np.int64)])
        new = np.arange(size) <= batch[:, 1:2]
        new[:, 0] = False
        return ids, new

    def _run(self, base: torch.nn.Module, ids: np.ndarray) -> torch.Tensor:
        """(rows, length, dim) last hidden states; bfloat16 inside on a GPU."""
        given = torch.as_tensor(ids, device=self.device)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            return base(input_ids=given).last_hidden_state


def _order(ends: np.ndarray, recipe: Recipe) -> tuple[list[np.ndarray], np.ndarray]:
    """The steps' windows, each (rows, 3) of start, new pieces and length; and pieces read before each step.

    Every epoch is shuffled by itself. Masked: the first `short` of all that is read comes in windows of a
    quarter of the size, four times as many a step.
    """
    total, batches = recipe.epochs * len(ends), []
    turn = int(recipe.short * total)
    phases = [(0, turn, recipe.size // 4, recipe.rows * 4), (turn, int(total), recipe.size, recipe.rows)]
    for begin, stop, size, rows in phases:
        for epoch in range(begin // len(ends), -(-stop // len(ends))):
            low, high = max(begin - epoch * len(ends), 0), min(stop - epoch * len(ends), len(ends))
            cut = text.windows(ends[low:high], size - 1)
            cut[:, 0] += low
            np.random.default_rng((recipe.seed, epoch, size)).shuffle(cut)
            cut = np.column_stack([cut, np.full(len(cut), size)])
            batches += [cut[first:first + rows] for first in range(0, len(cut), rows)]
    read = np.cumsum([0] + [batch[:, 1].sum() for batch in batches])
    return batches, read


class Causal(TransformerLearner):
    """GPT-2: every piece is found from those before it in its window."""

    def _model(self, vocabulary: int) -> torch.nn.Module:
        config = GPT2Config(
            vocab_size=vocabulary, n_positions=self.recipe.size, n_embd=self.recipe.dim, n_layer=self.recipe.layers,
            n_head=self.recipe.dim // 64, resid_pdrop=0, embd_pdrop=0, attn_pdrop=0, bos_token_id=text.START,
            eos_token_id=text.END, pad_token_id=text.PAD, use_cache=False,
            activation_function="gelu_pytorch_tanh")                        # GPT-2's own function, in one kernel
        return GPT2LMHeadModel(config)

    def loss(self, step: int) -> torch.Tensor:
        """Mean nats of the step's new pieces, each from those before it. See `Learner.loss`."""
        ids, new = self._windows(step)
        hidden = self._run(self.model.transformer, ids[:, :-1])
        new = torch.as_tensor(new[:, 1:], device=self.device)
        targets = torch.as_tensor(ids[:, 1:], device=self.device)[new]
        return cross_entropy(hidden[new], self.model.get_input_embeddings().weight, None, targets)


class Masked(TransformerLearner):
    """BERT: a share of the pieces is found again; 8 of 10 hidden, 1 replaced by a random one, 1 left."""

    def _model(self, vocabulary: int) -> torch.nn.Module:
        config = BertConfig(
            vocab_size=vocabulary, max_position_embeddings=self.recipe.size, hidden_size=self.recipe.dim,
            num_hidden_layers=self.recipe.layers, num_attention_heads=self.recipe.dim // 64,
            intermediate_size=4 * self.recipe.dim, hidden_dropout_prob=0, attention_probs_dropout_prob=0,
            pad_token_id=text.PAD)
        model = BertForMaskedLM(config)
        seen = np.bincount(self.pieces[:-self.recipe.size], minlength=vocabulary) + 1.0
        model.cls.predictions.bias.data.copy_(torch.from_numpy(np.log(seen / seen.sum())))
        return model

    def loss(self, step: int) -> torch.Tensor:
        """Mean nats of the chosen pieces, from what is shown. See `Learner.loss`."""
        ids, new = self._windows(step)
        draw = np.random.default_rng((self.recipe.seed, step))
        chosen = new & (draw.random(ids.shape) < self.recipe.masked)
        if not chosen.any():
            chosen = new
        fate, shown = draw.random(ids.shape), ids.copy()
        shown[chosen & (fate < 0.8)] = text.MASK
        random = chosen & (fate >= 0.9)
        learned = self.tokenizer.get_vocab_size() - text.UNUSED                  # never a token that never occurs
        shown[random] = draw.integers(len(text.SPECIALS), learned, random.sum())
        hidden = self._run(self.model.bert, shown)
        chosen = torch.as_tensor(chosen, device=self.device)
        targets = torch.as_tensor(ids, device=self.device)[chosen]
        head = self.model.cls.predictions
        return cross_entropy(head.transform(hidden[chosen]), self.model.get_input_embeddings().weight, head.bias,
                             targets)
