// A launch under a condition that is known.
func.func @f(%a: memref<64xf32>, %v: f32) {
  %c1 = arith.constant 1 : index
  %holds = arith.constant true
  scf.if %holds {
    tile.launch @k blocks(%b) in (%c1) threads(32) {
      tile.once {
        memref.store %v, %a[%b] : memref<64xf32>
      }
    }
  }
  return
}
