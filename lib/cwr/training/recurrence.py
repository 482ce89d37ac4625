"""The recurrence of the encoders' biLSTM, with its gradients written out.

Autograd would make the recurrent matrix's gradient step by step; here it is one product over all steps, and the gates
are kept in place. The same numbers (the tests compare both) in about half of the time, for training alone.
"""
import torch


class _Recurrence(torch.autograd.Function):
    """Both ways of one layer. d: ways (2), t: steps, r: rows, c: cell, p: projection."""

    @staticmethod
    def forward(context, products, recurrent, projection, output, cell, cell_clip, proj_clip):
        ways, steps, rows, _ = products.shape                               # (d, t, r, 4c); gates i, j, f, o
        size = cell.shape[-1]
        gates = torch.empty_like(products)
        cells, tanhs = (products.new_empty(ways, steps + 1, rows, size) for _ in range(2))
        outputs = products.new_empty(ways, steps + 1, rows, output.shape[-1])
        cells[:, 0], outputs[:, 0] = cell, output
        for t in range(steps):
            gate = torch.baddbmm(products[:, t], outputs[:, t], recurrent)                      # (d, r, 4c)
            i, j, f, o = gate.view(ways, rows, 4, size).unbind(2)
            for part in (i, f, o):
                part.sigmoid_()
            j.tanh_()
            gates[:, t] = gate
            cells[:, t + 1] = torch.addcmul(i * j, f, cells[:, t]).clamp_(-cell_clip, cell_clip)
            tanhs[:, t + 1] = torch.tanh(cells[:, t + 1])
            outputs[:, t + 1] = torch.bmm(o * tanhs[:, t + 1], projection).clamp_(-proj_clip, proj_clip)
        context.save_for_backward(gates, cells, tanhs, outputs, recurrent, projection)
        context.clips = cell_clip, proj_clip
        return outputs[:, 1:], outputs[:, -1], cells[:, -1]

    @staticmethod
    def backward(context, to_outputs, _, __):
        gates, cells, tanhs, outputs, recurrent, projection = context.saved_tensors
        cell_clip, proj_clip = context.clips
        ways, steps, rows, width = gates.shape
        size = width // 4
        to_gates, to_clipped = torch.empty_like(gates), torch.empty_like(to_outputs)
        to_output, to_cell = torch.zeros_like(to_outputs[:, 0]), torch.zeros_like(cells[:, 0])
        backwards, unprojected = recurrent.transpose(1, 2).contiguous(), projection.transpose(1, 2).contiguous()
        for t in reversed(range(steps)):
            i, j, f, o = gates[:, t].view(ways, rows, 4, size).unbind(2)
            to_output = (to_outputs[:, t] + to_output) * (outputs[:, t + 1].abs() < proj_clip)
            to_clipped[:, t] = to_output
            to_shown = torch.bmm(to_output, unprojected)                                        # of o tanh(c)
            own = tanhs[:, t + 1]
            to_cell = (to_cell + to_shown * o * (1 - own * own)) * (cells[:, t + 1].abs() < cell_clip)
            made = to_gates[:, t].view(ways, rows, 4, size)
            made[:, :, 0] = to_cell * j * i * (1 - i)
            made[:, :, 1] = to_cell * i * (1 - j * j)
            made[:, :, 2] = to_cell * cells[:, t] * f * (1 - f)
            made[:, :, 3] = to_shown * own * o * (1 - o)
            to_output = torch.bmm(to_gates[:, t], backwards)
            to_cell = to_cell * f
        flat = to_gates.flatten(1, 2)                                                           # (d, t r, 4c)
        shown = (gates.view(ways, steps, rows, 4, size)[:, :, :, 3] * tanhs[:, 1:]).flatten(1, 2)
        to_recurrent = torch.bmm(outputs[:, :-1].flatten(1, 2).transpose(1, 2), flat)
        to_projection = torch.bmm(shown.transpose(1, 2), to_clipped.flatten(1, 2))
        return to_gates, to_recurrent, to_projection, None, None, None, None


def run(layer, inputs: torch.Tensor, output: torch.Tensor,
        cell: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Outputs (2, steps, rows, projection) of an ELMo's `BiLSTMLayer`, and the last output and cell of each row.

    inputs: (2, steps, rows, projection), each way in its own order. No gradient goes into the state at the start.
    """
    ways, steps, rows, width = inputs.shape
    own, recurrent = layer.W.split(width, dim=1)
    products = torch.baddbmm((layer.B + layer.forget)[:, None], inputs.flatten(1, 2), own).view(ways, steps, rows, -1)
    unbounded = float("inf")
    return _Recurrence.apply(products, recurrent.contiguous(), layer.W_P, output, cell,
                             layer.cell_clip or unbounded, layer.proj_clip or unbounded)
