// A launch with more operations than are worth a second one stays alone, and says so.
// RUN: tile-opt %s --tile-version-launches=max-operations=2 --verify-diagnostics --remark-format=emitRemark --remarks-filter=tile-version-launches | FileCheck %s
// RUN: tile-opt %s --tile-version-launches=max-operations=3 | FileCheck %s --check-prefix=SHORT

// CHECK-NOT: _wide
// SHORT: tile.launch @k_wide
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @long(%a: memref<?x?xf16>, %n: index) {
  // expected-remark @below {{[Missed] NotVersioned | Category:tile-version-launches | Function=k | Reason="3 operations; launches of up to 2 become two where divisors are missing"}}
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    // expected-remark @below {{[Missed] UnknownDivisor | Category:tile-version-launches | Function=k | Reason="16 bits in each access instead of 128: size 1 of argument 0 is not known to be a multiple of 8; state tile.divisible = array<i64: 1, 8>"}}
    %t = tile.load %a[%x, %c0] : memref<?x?xf16> -> tensor<64x64xf16>
  }
  return
}
}
