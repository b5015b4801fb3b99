// RUN: tile-opt %s --tile-simplify-loops --split-input-file --verify-diagnostics

// A loop that counts down, and one that stays, would not end.
func.func @not_positive(%n: index) {
  tile.launch blocks(%x) in (%n) threads(32) {
    %c0 = arith.constant 0 : index
    %down = arith.constant -2 : index
    // expected-error @+1 {{the step of the loop is -2; it must be positive}}
    scf.for %i = %c0 to %n step %down {
    }
    // expected-error @+1 {{the step of the loop is 0; it must be positive}}
    scf.for %i = %c0 to %n step %c0 {
    }
  }
  return
}

// -----

// What would be negative with a sign is not without one.
func.func @unsigned(%n: index, %a: i8, %b: i8) {
  tile.launch blocks(%x) in (%n) threads(32) {
    %zero = arith.constant 0 : i8
    %large = arith.constant -56 : i8
    scf.for unsigned %i = %a to %b step %large : i8 {
    }
    // expected-error @+1 {{the step of the loop is 0; it must be positive}}
    scf.for unsigned %i = %a to %b step %zero : i8 {
    }
  }
  return
}
