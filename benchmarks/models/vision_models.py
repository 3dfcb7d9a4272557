"""Convolutional networks in plain PyTorch, and one of the package `torchvision`, with random weights.

Each function is what ``shapesolve check benchmarks/models/vision_models.py:unet`` names. The environment variable
MODEL_LAYERS is the number of blocks of a stage (2 where it is not set).
"""

# pyright: basic, reportMissingImports=false

from __future__ import annotations

import os
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn
from torch.export import Dim
from torch.nn import functional

LAYERS = int(os.environ.get("MODEL_LAYERS", "2"))
WIDTH = 16


def normed(into: int, out: int, kernel: int, **rest: Any) -> nn.Sequential:
    """Convolution and batch normalisation."""
    return nn.Sequential(
        nn.Conv2d(into, out, kernel, padding=rest.pop("padding", kernel // 2), bias=False, **rest), nn.BatchNorm2d(out)
    )


class Bottleneck(nn.Module):
    """1x1, 3x3, 1x1 beside what came in."""

    def __init__(self, into: int, inner: int, stride: int, dilation: int = 1) -> None:
        super().__init__()
        self.first = normed(into, inner, 1)
        self.second = normed(inner, inner, 3, stride=stride, padding=dilation, dilation=dilation)
        self.third = normed(inner, 4 * inner, 1)
        self.shortcut = (
            nn.Identity() if into == 4 * inner and stride == 1 else normed(into, 4 * inner, 1, stride=stride)
        )

    def forward(self, x: Tensor) -> Tensor:
        inner = functional.relu(self.second(functional.relu(self.first(x))))
        return functional.relu(self.third(inner) + self.shortcut(x))


class Trunk(nn.Module):
    """The stages of a residual network, from an image to features at a stride of 32, or 16 with a dilated last one."""

    def __init__(self, *, dilated: bool = False) -> None:
        super().__init__()
        self.stem = nn.Sequential(normed(3, WIDTH, 7, stride=2), nn.ReLU(), nn.MaxPool2d(3, 2, 1))
        stages, into = [], WIDTH
        for number, stride in enumerate((1, 2, 2, 1 if dilated else 2)):
            inner, dilation = WIDTH * 2**number, 2 if dilated and number == 3 else 1
            blocks = [
                Bottleneck(into if each == 0 else 4 * inner, inner, stride if each == 0 else 1, dilation)
                for each in range(LAYERS)
            ]
            stages.append(nn.Sequential(*blocks))
            into = 4 * inner
        self.stages, self.features = nn.Sequential(*stages), into

    def forward(self, x: Tensor) -> Tensor:
        return self.stages(self.stem(x))


class ResNet(nn.Module):
    """Images [B, 3, H, W] to classes."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = Trunk()
        self.head = nn.Linear(self.trunk.features, 10)

    def forward(self, image: Tensor) -> Tensor:
        features = functional.adaptive_avg_pool2d(self.trunk(image), 1)
        return self.head(torch.flatten(features, 1))


class UNet(nn.Module):
    """Down by pooling, up by transposed convolution, with what was there before at the side."""

    def __init__(self, depth: int = 3) -> None:
        super().__init__()
        widths = [WIDTH * 2**each for each in range(depth + 1)]
        self.down = nn.ModuleList(self._pair(a, b) for a, b in zip([3, *widths], widths, strict=False))
        self.up = nn.ModuleList(nn.ConvTranspose2d(b, a, 2, 2) for a, b in pairwise(widths))
        self.join = nn.ModuleList(self._pair(2 * a, a) for a in widths[:-1])
        self.head = nn.Conv2d(WIDTH, 2, 1)

    @staticmethod
    def _pair(into: int, out: int) -> nn.Sequential:
        return nn.Sequential(normed(into, out, 3), nn.ReLU(), normed(out, out, 3), nn.ReLU())

    def forward(self, image: Tensor) -> Tensor:
        x, kept = self.down[0](image), []
        for each in list(self.down)[1:]:
            kept.append(x)
            x = each(functional.max_pool2d(x, 2))
        for up, join, skip in reversed(list(zip(self.up, self.join, kept, strict=True))):
            x = join(torch.cat([up(x), skip], 1))
        return self.head(x)


class DeepLab(nn.Module):
    """Features at several rates of dilation and of the whole image, brought back to the size of the image."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk, inner = Trunk(dilated=True), 4 * WIDTH
        rates = [normed(self.trunk.features, inner, 3, padding=rate, dilation=rate) for rate in (2, 4, 6)]
        self.branches = nn.ModuleList([normed(self.trunk.features, inner, 1), *rates])
        self.whole = nn.Conv2d(self.trunk.features, inner, 1)
        self.head = nn.Conv2d(5 * inner, 4, 1)

    def forward(self, image: Tensor) -> Tensor:
        x = self.trunk(image)
        whole = functional.interpolate(
            self.whole(functional.adaptive_avg_pool2d(x, 1)), size=x.shape[-2:], mode="bilinear", align_corners=False
        )
        features = torch.cat([*(functional.relu(each(x)) for each in self.branches), whole], 1)
        return functional.interpolate(self.head(features), size=image.shape[-2:], mode="bilinear", align_corners=False)


def _images(multiple: int = 1, side: int = 64) -> Any:
    """Images whose sides are multiples, and how their sizes are told to the exporter."""
    b, h, w = Dim("B", min=1, max=32), Dim("h", min=2, max=32), Dim("w", min=2, max=32)
    if multiple == 1:
        h, w = Dim("H", min=33, max=1024), Dim("W", min=33, max=1024)
    return (torch.zeros(2, 3, side, side + multiple),), ({0: b, 2: multiple * h, 3: multiple * w},)


def resnet() -> Any:
    """Images of all sizes from 33 on."""
    return ResNet().eval(), *_images()


def unet() -> Any:
    """Images whose sides are multiples of 8."""
    return UNet().eval(), *_images(8)


def deeplab() -> Any:
    """Images of all sizes from 33 on."""
    return DeepLab().eval(), *_images()


class Segments(nn.Module):
    """The result "out" of a model of torchvision that returns a dictionary."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, image: Tensor) -> Tensor:
        return self.model(image)["out"]


def lraspp() -> Any:
    """LR-ASPP on MobileNetV3, as torchvision has it: images of all sizes from 33 on. Its depth is fixed."""
    from torchvision.models.segmentation import lraspp_mobilenet_v3_large

    return Segments(lraspp_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=4)).eval(), *_images()
