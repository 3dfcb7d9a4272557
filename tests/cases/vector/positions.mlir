func.func @element(%v: vector<4x8xf32>, %i: index) -> f32 {
  // expect: refuted C1
  %0 = vector.extract %v[1, %i] : f32 from vector<4x8xf32>
  return %0 : f32
}

// assume: %i >= 0
// assume: %i <= 3
func.func @row(%v: vector<4x8xf32>, %i: index) -> vector<8xf32> {
  // expect: proved
  // expect: shape [8]
  %0 = vector.extract %v[%i] : vector<8xf32> from vector<4x8xf32>
  return %0 : vector<8xf32>
}

func.func @poison(%v: vector<4xf32>) -> f32 {
  %0 = vector.extract %v[-1] : f32 from vector<4xf32>
  return %0 : f32
}

func.func @replaced(%v: vector<4x8xf32>, %x: f32, %i: index, %j: index) -> vector<4x8xf32> {
  // expect: refuted C1
  // expect: refuted C1
  // expect: shape [4, 8]
  %0 = vector.insert %x, %v[%i, %j] : f32 into vector<4x8xf32>
  return %0 : vector<4x8xf32>
}

// assume: %n >= 0
func.func @remainder(%v: vector<4xf32>, %x: f32, %n: index) -> vector<4xf32> {
  %c4 = arith.constant 4 : index
  %i = arith.remsi %n, %c4 : index
  // expect: proved
  %0 = vector.insert %x, %v[%i] : f32 into vector<4xf32>
  return %0 : vector<4xf32>
}
