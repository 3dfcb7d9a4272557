func.func @part(%v: vector<[4]xf32>) -> vector<4xf32> {
  // expect: approximated the lengths of scalable vectors
  // expect: shape [4]
  %0 = vector.scalable.extract %v[4] : vector<4xf32> from vector<[4]xf32>
  return %0 : vector<4xf32>
}

func.func @replaced(%v: vector<[4]xf32>, %x: vector<4xf32>) -> vector<[4]xf32> {
  // expect: approximated the lengths of scalable vectors
  %0 = vector.scalable.insert %x, %v[4] : vector<4xf32> into vector<[4]xf32>
  return %0 : vector<[4]xf32>
}
