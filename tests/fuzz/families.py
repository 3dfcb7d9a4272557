"""Families of operations that instances are drawn from: names, ranks and element types of their operands."""

from __future__ import annotations

Same = tuple[str, tuple[str, ...], str, str]
"""An operation, the elements of its operands, those of its result, and its attributes."""
Structured = tuple[str, tuple[int, ...], tuple[str, ...]]
"""An operation, the ranks of its operands (the last is the output; -1: a scalar), and their elements."""

FLOAT, INTEGER, BOOL = "f32", "i32", "i1"


def _same(dialect: str, names: str, operands: tuple[str, ...], result: str, attributes: str = "") -> list[Same]:
    return [(f"{dialect}.{name}", operands, result, attributes) for name in names.split()]


SAME_SHAPE: tuple[Same, ...] = (
    *_same(
        "stablehlo",
        "abs cbrt ceil cosine exponential exponential_minus_one floor log log_plus_one logistic negate rsqrt sign sine "
        "sqrt tan tanh round_nearest_afz round_nearest_even",
        (FLOAT,),
        FLOAT,
    ),
    *_same("stablehlo", "not popcnt count_leading_zeros abs negate", (INTEGER,), INTEGER),
    *_same("stablehlo", "subtract divide minimum maximum remainder atan2 power", (FLOAT, FLOAT), FLOAT),
    *_same(
        "stablehlo", "and or xor shift_left shift_right_arithmetic shift_right_logical", (INTEGER, INTEGER), INTEGER
    ),
    *_same("stablehlo", "clamp", (FLOAT, FLOAT, FLOAT), FLOAT),
    *_same("stablehlo", "is_finite", (FLOAT,), BOOL),
    *_same("stablehlo", "convert", (FLOAT,), INTEGER),
    *_same("stablehlo", "bitcast_convert", (FLOAT,), INTEGER),
    *_same("stablehlo", "complex", (FLOAT, FLOAT), "complex<f32>"),
    *_same("stablehlo", "reduce_precision", (FLOAT,), FLOAT, "{exponent_bits = 5 : i32, mantissa_bits = 2 : i32}"),
    *_same(
        "stablehlo", "compare", (FLOAT, FLOAT), BOOL, "{comparison_direction = #stablehlo<comparison_direction EQ>}"
    ),
    *_same(
        "chlo",
        "acos acosh asin asinh atan atanh bessel_i1e cosh digamma erf erf_inv erfc lgamma sinh square tan",
        (FLOAT,),
        FLOAT,
    ),
    *_same("chlo", "is_inf is_neg_inf is_pos_inf", (FLOAT,), BOOL),
    *_same("chlo", "next_after polygamma zeta", (FLOAT, FLOAT), FLOAT),
    *_same("chlo", "mulhi", (INTEGER, INTEGER), INTEGER),
    *_same("tosa", "cos sin erf reciprocal floor log sigmoid tanh rsqrt exp ceil abs", (FLOAT,), FLOAT),
    *_same("tosa", "bitwise_not clz abs", (INTEGER,), INTEGER),
    *_same("tosa", "logical_not", (BOOL,), BOOL),
    *_same("tosa", "logical_and logical_or logical_xor", (BOOL, BOOL), BOOL),
    *_same(
        "tosa", "bitwise_and bitwise_or bitwise_xor logical_left_shift logical_right_shift", (INTEGER, INTEGER), INTEGER
    ),
    *_same("tosa", "arithmetic_right_shift", (INTEGER, INTEGER), INTEGER, "{round = false}"),
    *_same("tosa", "clamp", (FLOAT,), FLOAT, "{min_val = 0.0 : f32, max_val = 1.0 : f32}"),
    *_same("tosa", "cast", (INTEGER,), FLOAT),
    *_same("tosa", "identity", (FLOAT,), FLOAT),
    *_same(
        "math",
        "absf acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 floor log log10 log1p log2 "
        "round roundeven rsqrt sin sinh sqrt tan tanh trunc",
        (FLOAT,),
        FLOAT,
    ),
    *_same("math", "atan2 copysign powf", (FLOAT, FLOAT), FLOAT),
    *_same("math", "fma clampf", (FLOAT, FLOAT, FLOAT), FLOAT),
    *_same("math", "absi ctlz cttz ctpop", (INTEGER,), INTEGER),
    *_same("math", "ipowi", (INTEGER, INTEGER), INTEGER),
    *_same("math", "fpowi", (FLOAT, INTEGER), FLOAT),
    *_same("math", "isfinite isinf isnan isnormal", (FLOAT,), BOOL),
    *_same("arith", "addf subf mulf divf remf maximumf minimumf maxnumf minnumf", (FLOAT, FLOAT), FLOAT),
    *_same("arith", "addi subi muli maxsi minui andi ori xori", (INTEGER, INTEGER), INTEGER),
    *_same("arith", "negf", (FLOAT,), FLOAT),
    *_same("arith", "extf", (FLOAT,), "f64"),
    *_same("arith", "truncf", (FLOAT,), "f16"),
    *_same("arith", "fptosi fptoui", (FLOAT,), INTEGER),
    *_same("arith", "sitofp uitofp", (INTEGER,), FLOAT),
    *_same("arith", "extsi extui", (INTEGER,), "i64"),
    *_same("arith", "trunci", (INTEGER,), "i8"),
    *_same("arith", "bitcast", (FLOAT,), INTEGER),
    *_same("arith", "index_cast index_castui", ("index",), INTEGER),
    *_same("tensor", "bitcast", (FLOAT,), INTEGER),
)


def _structured(names: str, *ranks: int, elements: tuple[str, ...] = ()) -> list[Structured]:
    return [(f"linalg.{name}", ranks, elements or (FLOAT,) * len(ranks)) for name in names.split()]


QUANTIZED = ("i8", "i8", INTEGER, INTEGER, INTEGER)
STRUCTURED: tuple[Structured, ...] = (
    *_structured("matmul", 2, 2, 2),
    *_structured("batch_matmul", 3, 3, 3),
    *_structured("batch_reduce_matmul", 3, 3, 2),
    *_structured("matvec", 2, 1, 1),
    *_structured("vecmat", 1, 2, 1),
    *_structured("batch_matvec", 3, 2, 2),
    *_structured("batch_vecmat", 2, 3, 2),
    *_structured("dot", 1, 1, 0),
    *_structured("mmt4d", 4, 4, 4),
    *_structured("batch_mmt4d", 5, 5, 5),
    *_structured("add sub mul div max min powf", 2, 2, 2),
    *_structured("add sub mul", 1, 1, 1),
    *_structured("select", 2, 2, 2, 2, elements=(BOOL, FLOAT, FLOAT, FLOAT)),
    *_structured("copy exp log abs ceil floor negf reciprocal round sqrt rsqrt square tanh erf", 2, 2),
    *_structured("conv_1d", 1, 1, 1),
    *_structured("conv_2d", 2, 2, 2),
    *_structured("conv_3d", 3, 3, 3),
    *_structured("conv_1d_nwc_wcf conv_1d_ncw_fcw", 3, 3, 3),
    *_structured("conv_2d_nhwc_hwcf conv_2d_nhwc_fhwc conv_2d_nchw_fchw", 4, 4, 4),
    *_structured("conv_2d_ngchw_fgchw conv_2d_ngchw_gfchw conv_2d_nhwgc_gfhwc", 5, 5, 5),
    *_structured("conv_2d_nhwc_hwcf_q conv_2d_nhwc_fhwc_q conv_2d_nchw_fchw_q", 4, 4, -1, -1, 4, elements=QUANTIZED),
    *_structured("conv_2d_ngchw_gfchw_q conv_2d_nhwgc_gfhwc_q", 5, 5, -1, -1, 5, elements=QUANTIZED),
    *_structured("conv_3d_ndhwc_dhwcf conv_3d_ncdhw_fcdhw", 5, 5, 5),
    *_structured("conv_3d_ndhwc_dhwcf_q", 5, 5, -1, -1, 5, elements=QUANTIZED),
    *_structured("depthwise_conv_1d_nwc_wc depthwise_conv_1d_ncw_cw", 3, 2, 3),
    *_structured("depthwise_conv_1d_nwc_wcm", 3, 3, 4),
    *_structured("depthwise_conv_2d_nhwc_hwc depthwise_conv_2d_nchw_chw", 4, 3, 4),
    *_structured("depthwise_conv_2d_nhwc_hwcm", 4, 4, 5),
    *_structured("depthwise_conv_2d_nhwc_hwc_q", 4, 3, -1, -1, 4, elements=QUANTIZED),
    *_structured("depthwise_conv_2d_nhwc_hwcm_q", 4, 4, -1, -1, 5, elements=QUANTIZED),
    *_structured("depthwise_conv_3d_ndhwc_dhwc depthwise_conv_3d_ncdhw_cdhw", 5, 4, 5),
    *_structured("depthwise_conv_3d_ndhwc_dhwcm", 5, 5, 6),
    *_structured("pooling_nhwc_sum pooling_nhwc_max pooling_nhwc_min pooling_nchw_sum pooling_nchw_max", 4, 2, 4),
    *_structured("pooling_nhwc_max_unsigned pooling_nhwc_min_unsigned", 4, 2, 4, elements=(INTEGER, INTEGER, INTEGER)),
    *_structured("pooling_nwc_sum pooling_nwc_max pooling_nwc_min pooling_ncw_sum pooling_ncw_max", 3, 1, 3),
    *_structured("pooling_nwc_max_unsigned pooling_nwc_min_unsigned", 3, 1, 3, elements=(INTEGER, INTEGER, INTEGER)),
    *_structured("pooling_ndhwc_sum pooling_ndhwc_max pooling_ndhwc_min", 5, 3, 5),
    *_structured("quantized_matmul", 2, 2, -1, -1, 2, elements=QUANTIZED),
    *_structured("quantized_batch_matmul", 3, 3, -1, -1, 3, elements=QUANTIZED),
)
"""Named structured operations."""
