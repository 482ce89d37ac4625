"""Runs the recurrence of the encoders' biLSTM, with explicit gradients.

Autograd would compute the recurrent matrix's gradient step by step; here it is one product over all
steps. The numbers are those of autograd (the tests compare both), in about half of the time.

Axes: d directions (2), t steps, r rows, c cell, p projection. The gates are in order i, j, f, o.
"""

from collections.abc import Callable
from weakref import WeakKeyDictionary

import torch

_RECORDED: WeakKeyDictionary = WeakKeyDictionary()  # layer: {shapes: its recurrence, recorded}


class _Recurrence(torch.autograd.Function):
    """The recurrence of one layer in both directions."""

    @staticmethod
    def forward(context, products, recurrent, projection, output, cell, cell_clip, proj_clip):
        """Computes all steps; keeps the activations that `backward` needs."""
        directions, steps, rows, _ = products.shape  # (d, t, r, 4c)
        size = cell.shape[-1]
        gates = torch.empty_like(products)
        cells = products.new_empty(directions, steps + 1, rows, size)
        tanhs = products.new_empty(directions, steps + 1, rows, size)
        outputs = products.new_empty(directions, steps + 1, rows, output.shape[-1])
        cells[:, 0], outputs[:, 0] = cell, output
        for t in range(steps):
            gate = torch.baddbmm(products[:, t], outputs[:, t], recurrent)  # (d, r, 4c)
            i, j, f, o = gate.view(directions, rows, 4, size).unbind(2)
            for sigmoid_gate in (i, f, o):
                sigmoid_gate.sigmoid_()
            j.tanh_()
            gates[:, t] = gate
            cells[:, t + 1] = torch.addcmul(i * j, f, cells[:, t]).clamp_(-cell_clip, cell_clip)
            tanhs[:, t + 1] = torch.tanh(cells[:, t + 1])
            projected = torch.bmm(o * tanhs[:, t + 1], projection)  # (d, r, p)
            outputs[:, t + 1] = projected.clamp_(-proj_clip, proj_clip)
        context.save_for_backward(gates, cells, tanhs, outputs, recurrent, projection)
        context.clips = cell_clip, proj_clip
        return outputs[:, 1:], outputs[:, -1], cells[:, -1]

    @staticmethod
    def backward(context, to_outputs, _, __):
        """Computes gradients from those of all outputs (d, t, r, p); clipped values pass none."""
        gates, cells, tanhs, outputs, recurrent, projection = context.saved_tensors
        cell_clip, proj_clip = context.clips
        directions, steps, rows, width = gates.shape
        size = width // 4
        to_gates = torch.empty_like(gates)
        to_projected = torch.empty_like(to_outputs)
        to_output = torch.zeros_like(to_outputs[:, 0])
        to_cell = torch.zeros_like(cells[:, 0])
        recurrent_t = recurrent.transpose(1, 2).contiguous()
        projection_t = projection.transpose(1, 2).contiguous()
        for t in reversed(range(steps)):
            i, j, f, o = gates[:, t].view(directions, rows, 4, size).unbind(2)
            unclipped = outputs[:, t + 1].abs() < proj_clip
            to_output = (to_outputs[:, t] + to_output) * unclipped
            to_projected[:, t] = to_output
            to_gated = torch.bmm(to_output, projection_t)  # of o tanh(c)
            tanh = tanhs[:, t + 1]
            unclipped = cells[:, t + 1].abs() < cell_clip
            to_cell = (to_cell + to_gated * o * (1 - tanh * tanh)) * unclipped
            gradient = to_gates[:, t].view(directions, rows, 4, size)
            gradient[:, :, 0] = to_cell * j * i * (1 - i)
            gradient[:, :, 1] = to_cell * i * (1 - j * j)
            gradient[:, :, 2] = to_cell * cells[:, t] * f * (1 - f)
            gradient[:, :, 3] = to_gated * tanh * o * (1 - o)
            to_output = torch.bmm(to_gates[:, t], recurrent_t)
            to_cell = to_cell * f
        before = outputs[:, :-1].flatten(1, 2).transpose(1, 2)  # (d, p, t r)
        to_recurrent = torch.bmm(before, to_gates.flatten(1, 2))
        out_gates = gates.view(directions, steps, rows, 4, size)[:, :, :, 3]
        gated = (out_gates * tanhs[:, 1:]).flatten(1, 2).transpose(1, 2)  # (d, c, t r)
        to_projection = torch.bmm(gated, to_projected.flatten(1, 2))
        return to_gates, to_recurrent, to_projection, None, None, None, None


def run(
    layer, inputs: torch.Tensor, output: torch.Tensor, cell: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Runs one layer; returns its outputs (d, t, r, p), last outputs (d, r, p) and cells (d, r, c).

    layer: a `cwr.encoders.elmo.layers.BiLSTMLayer`.
    inputs: (d, t, r, p), each direction in its order of reading.
    output, cell: the initial state, which gets no gradient.
    """
    directions, steps, rows, width = inputs.shape
    of_inputs, recurrent = layer.W.split(width, dim=1)
    bias = (layer.B + layer.forget)[:, None]
    products = torch.baddbmm(bias, inputs.flatten(1, 2), of_inputs)  # (d, t r, 4c)
    products = products.view(directions, steps, rows, -1)
    arguments = products, recurrent.contiguous(), layer.W_P, output, cell
    recurrence = _clipped(layer)
    if products.is_cuda and torch.is_grad_enabled():
        recurrence = _recorded(layer, recurrence, arguments)
    return recurrence(*arguments)


def _clipped(layer) -> Callable:
    """Returns `_Recurrence` with the clips of a layer."""
    unbounded = float("inf")
    clips = layer.cell_clip or unbounded, layer.proj_clip or unbounded
    return lambda *tensors: _Recurrence.apply(*tensors, *clips)


def _recorded(layer, recurrence: Callable, arguments: tuple[torch.Tensor, ...]) -> Callable:
    """Returns the layer's recurrence as a CUDA graph, which launches thousands of kernels at once.

    Each layer and shape has its own graph: layers must not share what they keep for gradients.
    """
    shapes = tuple(argument.shape for argument in arguments)
    recorded = _RECORDED.setdefault(layer, {})
    if shapes not in recorded:
        samples = tuple(a.detach().clone().requires_grad_(a.requires_grad) for a in arguments)
        recorded[shapes] = torch.cuda.make_graphed_callables(recurrence, samples)
    return recorded[shapes]
