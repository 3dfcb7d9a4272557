module {
  shape.func @same(%a: !shape.value_shape, %b: !shape.value_shape) -> !shape.shape {
    %s = shape.shape_of %a : !shape.value_shape -> !shape.shape
    %t = shape.shape_of %b : !shape.value_shape -> !shape.shape
    %m = shape.meet %s, %t, error = "the operands differ" : !shape.shape, !shape.shape -> !shape.shape
    shape.return %m : !shape.shape
  }
}
