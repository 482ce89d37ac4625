"""Layer 0, the blocks and the last layer are what the contract says, for every supported type."""

import numpy as np
import pytest
import torch

from cwr.encoders import architectures

KINDS = list(architectures.ARCHITECTURES)
BLOCKS = {
    "bert": lambda m: m.encoder.layer,
    "roberta": lambda m: m.encoder.layer,
    "xlm-roberta": lambda m: m.encoder.layer,
    "deberta-v2": lambda m: m.encoder.layer,
    "electra": lambda m: m.encoder.layer,
    "distilbert": lambda m: m.transformer.layer,
    "gpt2": lambda m: m.h,
}
FINAL_NORMS = {
    "modernbert": "final_norm",
    "gpt2": "ln_f",
    "gpt_neox": "final_layer_norm",
    "llama": "norm",
    "mistral": "norm",
    "qwen2": "norm",
    "qwen3": "norm",
    "olmo2": "norm",
    "phi3": "norm",
    "gemma3_text": "norm",
}


def row_error(ours, theirs) -> float:
    """Largest difference of two vectors, relative to the vector's norm."""
    ours, theirs = (
        torch.as_tensor(part).detach().cpu().double() for part in (ours, theirs)
    )
    return float(((ours - theirs).norm(dim=-1) / theirs.norm(dim=-1)).max())


def run_plainly(encoder, text: str):
    """The model by itself on one sentence: its output, and what enters and leaves its blocks."""
    blocks = BLOCKS.get(encoder.model.config.model_type, lambda model: model.layers)(
        encoder.model
    )
    seen = []
    first = blocks[0].register_forward_pre_hook(
        lambda block, args, named: seen.append(
            args[0] if args else named["hidden_states"]
        ),
        with_kwargs=True,
    )
    others = [
        block.register_forward_hook(
            lambda block, args, out: seen.append(out[0] if isinstance(out, tuple) else out)
        )
        for block in blocks
    ]
    given = encoder.tokenizer(text, return_tensors="pt").to(encoder.device)
    with torch.no_grad():
        output = encoder.model(
            given["input_ids"],
            attention_mask=given["attention_mask"],
            output_hidden_states=True,
        )
    for hook in [first, *others]:
        hook.remove()
    return output, seen


def pieces_of(encoder, sentence, **given) -> np.ndarray:
    [batch] = encoder.encode([sentence], unit="piece", **given)
    return batch.hidden


@pytest.mark.parametrize("final_norm", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_layers_are_what_enters_and_leaves_the_blocks_as_the_contract_says(
    tiny, kind, final_norm, sentence, near
):
    encoder = tiny(kind, final_norm=final_norm)
    text = sentence("The bank of the river is unbelievably steep.")
    output, seen = run_plainly(encoder, text.text)
    normed = final_norm and kind in FINAL_NORMS
    if normed:
        seen[-1] = encoder.model.get_submodule(FINAL_NORMS[kind])(seen[-1])
        assert row_error(output.last_hidden_state, seen[-1]) < 1e-6
    ours = pieces_of(encoder, text)
    assert len(ours) == len(seen) == len(encoder.contract) == encoder.n_layers + 1 == 4
    for name, layer, expected in zip(encoder.contract, ours, seen, strict=True):
        assert row_error(layer, expected[0]) < near, name  # fp32 matmul order
    assert encoder.contract[1:] == (
        "block 1",
        "block 2",
        "block 3" + " + final norm" * normed,
    )


@pytest.mark.parametrize("kind", KINDS)
def test_layers_are_the_models_own_hidden_states(tiny, kind, sentence, near):
    text = sentence("The bank of the river is unbelievably steep.")
    output, _ = run_plainly(tiny(kind), text.text)
    ours = pieces_of(tiny(kind), text)
    for name, layer, expected in zip(
        tiny(kind).contract, ours, output.hidden_states, strict=True
    ):
        assert row_error(layer, expected[0]) < near, name


@pytest.mark.parametrize("kind", FINAL_NORMS)
def test_without_the_final_norm_only_the_last_layer_differs(tiny, kind, sentence):
    text = sentence("The bank is steep.")
    normed, raw = (
        pieces_of(tiny(kind, final_norm=given), text) for given in (True, False)
    )
    assert np.array_equal(normed[:-1], raw[:-1])
    assert row_error(normed[-1], raw[-1]) > 0.1


def by_hand(encoder, ids: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
    """What enters the first block, added up from the model's own tables as the contract says."""
    model, parts = encoder.model, encoder.contract[0].removeprefix("input: ")
    vectors = model.get_input_embeddings().weight[ids]
    if "scaled by the square root of the width" in parts:
        vectors = vectors * encoder.dim**0.5
    if "positions" in parts:
        table = (
            model.wpe if hasattr(model, "wpe") else model.embeddings.position_embeddings
        )
        vectors = vectors + table(positions)
    if "segments" in parts:
        vectors = vectors + model.embeddings.token_type_embeddings.weight[0]
    if "projected and normalised" in parts:
        vectors = model.embeddings.embed_proj(vectors)
    if "normalised" in parts:
        norms = [
            part
            for part in model.embeddings.children()
            if isinstance(part, torch.nn.LayerNorm)
        ]
        vectors = norms[0](vectors)
    if "normalised and projected" in parts:
        vectors = model.embeddings_project(vectors)
    return vectors


def layer_0_error(encoder, text) -> float:
    """How far layer 0 is from what the contract says."""
    ids = encoder.tokenizer(text.text, return_tensors="pt")["input_ids"][0].to(
        encoder.device
    )
    kind = encoder.model.config.model_type
    positions = torch.arange(len(ids), device=encoder.device) + (
        2 if "roberta" in kind else 0
    )
    return row_error(pieces_of(encoder, text)[0], by_hand(encoder, ids, positions))


@pytest.mark.parametrize("kind", KINDS)
def test_layer_0_is_made_of_what_the_contract_says(tiny, kind, sentence, near):
    assert layer_0_error(tiny(kind), sentence("The bank of the river is steep.")) < near


def words_of(encoder, *texts) -> list[np.ndarray]:
    """The vectors of each text's words by themselves: (layers, words, dim)."""
    return [next(encoder.encode([text])).hidden for text in texts]


@pytest.mark.parametrize("kind", ["deberta-v2", "modernbert"])
def test_positions_that_are_not_in_layer_0_are_in_the_blocks(tiny, kind, sentence):
    one, other = words_of(tiny(kind), sentence("the bank"), sentence("bank the"))
    same_word = row_error(one[:, 0], other[:, 1])
    assert row_error(one[0, 0], other[0, 1]) < 1e-6 < 1e-3 < same_word


def test_a_deberta_with_a_convolution_and_positions_in_layer_0_says_so(
    changed, sentence, near
):
    encoder = changed(
        "deberta-v2",
        conv_kernel_size=3,
        position_biased_input=True,
        type_vocab_size=2,
        embedding_size=16,
    )
    text, short = (
        sentence("The bank of the river is unbelievably steep."),
        sentence("The bank."),
    )
    output, seen = run_plainly(encoder, text.text)
    assert encoder.contract[:2] == (
        "input: tokens + positions + segments, projected and normalised",
        "block 1 + convolution",
    )
    ours = pieces_of(encoder, text)
    for name, layer, expected in zip(
        encoder.contract, ours, output.hidden_states, strict=True
    ):
        assert row_error(layer, expected[0]) < near, name
    assert (
        row_error(seen[1], ours[1][None]) > 0.01
    )  # what leaves block 1 before the convolution
    assert layer_0_error(encoder, text) < near
    [together] = encoder.encode([text, short])  # a batch begins with the longest
    alone = np.concatenate(words_of(encoder, text, short), axis=1)
    assert row_error(together.hidden, alone) < near


@pytest.mark.parametrize(
    ("kind", "changes", "layer_0"),
    [
        ("electra", {"embedding_size": 32}, "tokens + positions + segments, normalised"),
        ("distilbert", {"sinusoidal_pos_embds": True}, "tokens + positions, normalised"),
        ("gpt_neox", {"use_parallel_residual": False}, "tokens"),
    ],
)
def test_the_other_form_of_a_type_is_read_as_its_contract_says(
    changed, sentence, near, kind, changes, layer_0
):
    encoder = changed(kind, **changes)
    text = sentence("The bank of the river is unbelievably steep.")
    output, _ = run_plainly(encoder, text.text)
    assert encoder.contract[0] == f"input: {layer_0}"
    assert layer_0_error(encoder, text) < near
    for ours, theirs in zip(pieces_of(encoder, text), output.hidden_states, strict=True):
        assert row_error(ours, theirs[0]) < near


@pytest.mark.parametrize("is_both_ways", [True, False])
def test_a_gemma_that_reads_in_both_directions_is_no_causal_model(
    changed, sentence, is_both_ways
):
    encoder = changed("gemma3_text", use_bidirectional_attention=is_both_ways)
    one, other = words_of(
        encoder, sentence("The bank is steep."), sentence("The bank is Yes.")
    )
    sees_what_follows = row_error(one[-1, 0], other[-1, 0]) > 1e-3
    assert sees_what_follows == is_both_ways == (not encoder.causal)
    assert encoder.family == ("masked" if is_both_ways else "causal")


def test_rows_stay_below_the_length_at_which_longrope_turns(changed, sentence, near):
    """Beyond it the long row's rotation would be given to the short one read beside it."""
    factors = {"short_factor": [1.0] * 4, "long_factor": [4.0] * 4}
    encoder = changed(
        "phi3",
        max_position_embeddings=64,
        original_max_position_embeddings=16,
        rope_parameters={"rope_type": "longrope", "rope_theta": 10_000.0, **factors},
    )
    assert encoder.window == 16
    short, long = sentence("The bank is steep."), sentence("The bank of the river. " * 9)
    [together] = encoder.encode([long, short])  # a batch begins with the longest
    alone = np.concatenate(words_of(encoder, long, short), axis=1)
    assert row_error(together.hidden, alone) < near


def test_hooks_are_gone_after_a_forward_pass_even_after_a_failure(tiny, sentence):
    encoder = tiny("gpt2")
    list(encoder.encode([sentence("The bank.")]))
    failing = encoder.model.h[1].register_forward_pre_hook(lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        list(encoder.encode([sentence("The bank.")]))
    failing.remove()
    left = [
        hook
        for module in encoder.model.modules()
        for hook in (*module._forward_hooks.values(), *module._forward_pre_hooks.values())
    ]
    assert not [hook for hook in left if hook.__module__.startswith("cwr")]


@pytest.mark.parametrize("kind", KINDS)
def test_forward_gives_layers_attentions_and_gradients(tiny, kind, sentence, near):
    encoder = tiny(kind)
    texts = [sentence("The bank of the river."), sentence("Yes.")]
    usual = encoder.model.config._attn_implementation
    made = encoder.forward(texts, attentions=True)
    rows, length = made.pieces.ids.shape
    assert made.hidden.shape == (4, rows, length, 32)
    assert made.attentions.shape == (3, rows, 4, length, length)
    sums = made.attentions.detach().sum(dim=-1)[
        :, made.pieces.mask.bool()[:, None].expand(-1, 4, -1)
    ]
    assert torch.allclose(sums, torch.ones_like(sums), atol=near)
    assert encoder.model.config._attn_implementation == usual
    made.hidden[1].sum().backward()
    assert encoder.model.get_input_embeddings().weight.grad.abs().sum() > 0
    encoder.model.zero_grad()
    for number, text in enumerate(texts):
        mine = pieces_of(encoder, text)
        assert (
            row_error(made.hidden[:, number, made.pieces.mask[number].bool()], mine) < near
        )
