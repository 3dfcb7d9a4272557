"""A two-level U-Net with dynamic batch, height and width -> ../unet.mlir"""

from pathlib import Path

import torch
from torch import Tensor, nn
from torch_lowering import AUTO, fill_parameters, lower, write
from torch_mlir.compiler_utils import OutputType

HERE = Path(__file__).resolve().parent


class UNet(nn.Module):
    """Halves the image twice, doubles it twice, and joins each level with what it looked like on the way down."""

    def __init__(self) -> None:
        super().__init__()
        self.down1 = nn.Conv2d(1, 4, 3, padding=1)
        self.down2 = nn.Conv2d(4, 8, 3, padding=1)
        self.middle = nn.Conv2d(8, 8, 3, padding=1)
        self.up2 = nn.ConvTranspose2d(8, 8, 2, stride=2)
        self.join2 = nn.Conv2d(16, 4, 3, padding=1)
        self.up1 = nn.ConvTranspose2d(4, 4, 2, stride=2)
        self.join1 = nn.Conv2d(8, 1, 3, padding=1)

    def forward(self, image: Tensor) -> Tensor:
        fine = torch.relu(self.down1(image))
        coarse = torch.relu(self.down2(nn.functional.max_pool2d(fine, 2)))
        deep = torch.relu(self.middle(nn.functional.max_pool2d(coarse, 2)))
        coarse = torch.relu(self.join2(torch.cat([coarse, self.up2(deep)], 1)))
        return self.join1(torch.cat([fine, self.up1(coarse)], 1))


def main() -> None:
    module = fill_parameters(UNet(), 0.0625)
    # Traced on an 8x8 image, whose sizes happen to fit: what PyTorch learns about H and W does not reach the MLIR.
    program = torch.export.export(module, (torch.ones(2, 1, 8, 8),), dynamic_shapes=({0: AUTO, 2: AUTO, 3: AUTO},))
    title = "A two-level U-Net on [N, 1, H, W]: exporters/unet.py, torch-mlir linalg-on-tensors"
    write(HERE.parent / "unet.mlir", title, str(lower(program, OutputType.LINALG_ON_TENSORS)))


if __name__ == "__main__":
    main()
