func.func @spread(%x: f32) -> vector<8xf32> {
  // expect: shape [8]
  %0 = vector.broadcast %x : f32 to vector<8xf32>
  return %0 : vector<8xf32>
}
