"""The written gradients of the recurrence against autograd's."""

import pytest
import torch

from cwr.encoders.elmo.files import LSTMOptions
from cwr.encoders.elmo.layers import BiLSTMLayer
from cwr.making.language_models import recurrence


@pytest.mark.parametrize("clips", [(None, None), (0.2, 0.1), (None, 0.1)])
def test_the_written_gradients_of_the_recurrence_are_autograds(clips, device):
    torch.manual_seed(0)
    exact = {"dtype": torch.float64, "device": device}
    cell_clip, proj_clip = clips
    options = LSTMOptions(
        dim=12, projection_dim=5, cell_clip=cell_clip, proj_clip=proj_clip
    )
    layer = BiLSTMLayer(options).to(**exact)
    torch.nn.init.normal_(layer.B)
    for _ in range(2):  # a GPU records the first and replays it for the second
        inputs = torch.randn(2, 7, 3, 5, requires_grad=True, **exact)
        output = torch.randn(2, 3, 5, **exact) * 0.05
        cell = torch.randn(2, 3, 12, **exact) * 0.1
        expected = layer(inputs.reshape(2, 21, 5), [3] * 7, output, cell)
        outputs, last_output, last_cell = recurrence.run(layer, inputs, output, cell)
        outputs = outputs.reshape(2, 21, 5)
        for tensor, right in zip((outputs, last_output, last_cell), expected, strict=True):
            torch.testing.assert_close(tensor, right)
        towards = torch.randn(2, 21, 5, **exact)
        parameters = [inputs, *layer.parameters()]
        gradients = torch.autograd.grad((outputs * towards).sum(), parameters)
        by_autograd = torch.autograd.grad((expected[0] * towards).sum(), parameters)
        for gradient, right in zip(gradients, by_autograd, strict=True):
            torch.testing.assert_close(gradient, right)
