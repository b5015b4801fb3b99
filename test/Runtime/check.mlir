// Compiled code against the reference: a line per memref argument, with how many
// elements are exact; tolerances instead of bounds; every pass on the way;
// statistics.
// RUN: tile-run %s --entry=scale --on=emulator --check --dim=N:300 | FileCheck %s --check-prefix=CHECK
// RUN: tile-run %s --entry=scale --on=emulator --check --dim=N:300 --rtol=1e-3 | FileCheck %s --check-prefix=GIVEN
// RUN: tile-run %s --entry=scale --on=emulator --check-stages --dim=N:300 | FileCheck %s --check-prefix=STAGES
// RUN: tile-run %s --entry=scale --on=emulator --dim=N:300 --stats=json | FileCheck %s --check-prefix=JSON
// RUN: not tile-run %s --entry=fails --on=emulator --check 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: not tile-run %s --entry=scale --on=emulator --chip=sm_1 --dim=N:300 2>&1 | FileCheck %s --check-prefix=CHIP

// CHECK: argument 0: memref<?xf16> equal: 300 elements (300 exact)
// CHECK: argument 1: memref<?xi32> equal: 300 elements (300 exact)
// GIVEN: argument 0: memref<?xf16> equal: 300 elements (300 exact; rtol 0.001, atol 0)
// STAGES: after tile-inline-calls: equal
// STAGES: after tile-infer-layouts: equal
// STAGES-NOT: tile-infer-layouts
// STAGES: after tile-outline-kernels: equal
// JSON: "kernels": [
// JSON: "name": "scale_kernel", "warps": 12
// CHIP: error: unknown chip 'sm_1'
func.func @scale(%a: memref<?xf16> {tile.dims = ["N"]}, %b: memref<?xi32> {tile.dims = ["N"]}) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %n = memref.dim %a, %c0 : memref<?xf16>
  %g = arith.ceildivui %n, %c128 : index
  tile.launch @scale_kernel blocks(%x) in (%g) threads(128) {
    %c = arith.constant 128 : index
    %i = arith.muli %x, %c : index
    %t = tile.load %a[%i] : memref<?xf16> -> tensor<128xf16>
    %u = arith.addf %t, %t : tensor<128xf16>
    tile.store %u, %a[%i] : tensor<128xf16>, memref<?xf16>
    %v = arith.fptosi %u : tensor<128xf16> to tensor<128xi32>
    tile.store %v, %b[%i] : tensor<128xi32>, memref<?xi32>
  }
  return
}

// The reference refuses the program before anything is compiled.
func.func @fails() {
  %c1 = arith.constant 1 : index
  tile.launch @fails_kernel blocks(%x) in (%c1) threads(32) {
    %p = arith.cmpi eq, %x, %x : index
    %true = arith.constant true
    %q = arith.xori %p, %true : i1
    // FAILS: check.mlir:[[@LINE+1]]:5: error: assertion failed: never
    tile.assert %q, "never"
  }
  return
}
