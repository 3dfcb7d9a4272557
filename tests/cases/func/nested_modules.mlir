// A name means what the nearest module around says: each caller has a @positive of its own.
func.func private @positive(%n: index) {
  return
}

func.func @outside(%n: index) {
  func.call @positive(%n) : (index) -> ()
  return
}

module @inner {
  func.func private @positive(%n: index) {
    %c1 = arith.constant 1 : index
    %k = arith.cmpi sge, %n, %c1 : index
    // expect: refuted C1 with n = 0
    // expect: refuted C1 with m = 0
    cf.assert %k, "positive"
    return
  }

  func.func @inside(%n: index) {
    func.call @positive(%n) : (index) -> ()
    return
  }

  module {
    func.func private @positive(%n: index) -> index {
      %c5 = arith.constant 5 : index
      return %c5 : index
    }

    func.func @innermost(%n: index) -> index {
      // expect: value 5
      %r = func.call @positive(%n) : (index) -> index
      return %r : index
    }
  }

  func.func @around_another(%m: index) {
    builtin.module {
      func.func private @positive(%k: index) {
        return
      }

      func.func @in_a_function(%k: index) {
        func.call @positive(%k) : (index) -> ()
        return
      }
    }
    func.call @positive(%m) : (index) -> ()
    return
  }
}

// Nothing looks further out than the nearest table, and names elsewhere do not matter.
module @alike {
  func.func private @positive(%n: index) {
    %c7 = arith.constant 7 : index
    %k = arith.cmpi eq, %n, %c7 : index
    // expect: proved C1
    cf.assert %k, "seven"
    return
  }

  func.func @seven() {
    %c7 = arith.constant 7 : index
    func.call @positive(%c7) : (index) -> ()
    return
  }
}
