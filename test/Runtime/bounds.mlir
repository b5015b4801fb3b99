// What the reference says about each element decides: an order of summation is within
// the bounds, a move is exact whatever stands beside it; --expect takes the same bounds,
// and a decision that they leave open is noted with its place.
// RUN: rm -rf %t && mkdir %t
// RUN: tile-run %s --entry=sum --on=emulator --check --out=1:%t/sum.npy | FileCheck %s --check-prefix=SUM
// SUM: argument 0: memref<4096xf32> equal: 4096 elements (4096 exact)
// SUM: argument 1: memref<1xf32> equal: 1 elements ({{1 exact|0 exact, 1 within their bounds}};{{.*}} largest bound / |value| {{[0-9.e-]+}})

// Another right order is as good; one element less is not, and without the reference's
// bounds neither is another order.
// RUN: %python %S/Inputs/write-npy.py %t/near.npy '<f4' 1 409.6005
// RUN: %python %S/Inputs/write-npy.py %t/far.npy '<f4' 1 409
// RUN: tile-run %s --entry=sum --on=emulator --data=0:values(0.1) --expect=1:%t/near.npy | FileCheck %s --check-prefix=NEAR
// RUN: tile-run %s --entry=sum --on=reference --data=0:values(0.1) --expect=1:%t/near.npy | FileCheck %s --check-prefix=NEAR
// NEAR: argument 1 and {{.*}}near.npy: equal: 1 elements (0 exact, 1 within their bounds;
// RUN: not tile-run %s --entry=sum --on=emulator --data=0:values(0.1) --expect=1:%t/far.npy | FileCheck %s --check-prefix=FAR
// FAR: argument 1 and {{.*}}far.npy: DIFFERENT: 1 of 1 elements ({{.*}}); first at [0]: 409.{{[0-9]+}}, expected 409 within {{[0-9.e-]+}}
// RUN: not tile-run %s --entry=sum --on=emulator --data=0:values(0.1) --rtol=0 --expect=1:%t/near.npy | FileCheck %s --check-prefix=ZERO
// ZERO: argument 1 and {{.*}}near.npy: DIFFERENT: 1 of 1 elements

// What the reference computes says how much a bound may be, not the file.
// RUN: %python %S/Inputs/write-npy.py %t/zero.npy '<f4' 1 0
// RUN: not tile-run %s --entry=sum --on=emulator --data=0:values(0.1) --expect=1:%t/zero.npy | FileCheck %s --check-prefix=ZEROS
// ZEROS: argument 1 and {{.*}}zero.npy: DIFFERENT: 1 of 1 elements (0 exact;

// Large neighbours excuse nothing.
// RUN: tile-run %s --entry=move --on=emulator --data=0:values(60000,1,1) --check --out=1:%t/moved.npy | FileCheck %s --check-prefix=MOVE
// MOVE: argument 1: memref<3xf16> equal: 3 elements (3 exact)
// RUN: %python %S/Inputs/write-npy.py %t/wrong.npy '<f2' 3 60000 0 0
// RUN: not tile-run %s --entry=move --on=emulator --data=0:values(60000,1,1) --expect=1:%t/wrong.npy | FileCheck %s --check-prefix=WRONG
// WRONG: argument 1 and {{.*}}wrong.npy: DIFFERENT: 2 of 3 elements (1 exact; largest difference 1 at [1]); first at [1]: 1, expected 0 exactly

// RUN: %python %S/Inputs/write-npy.py %t/three.npy '<f4' 1 3
// RUN: not tile-run %s --entry=decide --on=emulator --data=values(0.1) --expect=1:%t/three.npy 2> %t/notes | FileCheck %s --check-prefix=UNCHECKED
// RUN: FileCheck %s --check-prefix=NOTE < %t/notes
// UNCHECKED: argument 1 and {{.*}}three.npy: NOT CHECKABLE: 1 of 1 elements, more than 1%, have bounds above the root mean square {{[12]}} (0 exact, 1 not checkable)
// RUN: tile-run %s --entry=decide --on=emulator --data=values(0.1) --max-unchecked=100% --expect=1:%t/three.npy | FileCheck %s --check-prefix=ALLOWED
// ALLOWED: argument 1 and {{.*}}three.npy: equal: 1 elements (0 exact, 1 not checkable)
// A result with the reference's own bits is right, whatever its bound.
// RUN: tile-run %s --entry=decide --on=reference --data=values(0.1) --check --expect=1:%t/three.npy --max-unchecked=100% 2>&1 | FileCheck %s --check-prefix=ONCE
// ONCE: note: whether this holds
// ONCE-NOT: note: whether this holds
// ONCE: argument 1: memref<1xf32> equal: 1 elements (1 exact)

// A number that flags promise away leaves anything.
// RUN: not tile-run %s --entry=promised --on=reference --data='0:values(nan,1)' --expect=1:%t/three.npy | FileCheck %s --check-prefix=PROMISED
// RUN: not tile-run %s --entry=promised --on=reference --data='0:values(2,1)' --expect=1:%t/three.npy | FileCheck %s --check-prefix=KEPT
// PROMISED: argument 1 and {{.*}}three.npy: NOT CHECKABLE: 1 of 1 elements
// KEPT: argument 1 and {{.*}}three.npy: DIFFERENT: 1 of 1 elements

func.func @promised(%a: memref<64xf32>, %o: memref<1xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %t = tile.load %a : memref<64xf32> -> tensor<64xf32>
    %s = tile.reduce <maxnumf> %t dims [0] fastmath<nnan> : tensor<64xf32> -> tensor<f32>
    %e = tensor.extract %s[] : tensor<f32>
    memref.store %e, %o[%c0] : memref<1xf32>
  }
  return
}

func.func @sum(%a: memref<4096xf32>, %o: memref<1xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %t = tile.load %a : memref<4096xf32> -> tensor<4096xf32>
    %s = tile.reduce <add> %t dims [0] : tensor<4096xf32> -> tensor<f32>
    %e = tensor.extract %s[] : tensor<f32>
    memref.store %e, %o[%c0] : memref<1xf32>
  }
  return
}

func.func @move(%a: memref<3xf16>, %o: memref<3xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %t = tile.load %a : memref<3xf16> -> tensor<3xf16>
    tile.store %t, %o : tensor<3xf16>, memref<3xf16>
  }
  return
}

// The sum is near its own value, which the program computes in another order.
func.func @decide(%a: memref<4096xf32>, %o: memref<1xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %t = tile.load %a : memref<4096xf32> -> tensor<4096xf32>
    %s = tile.reduce <add> %t dims [0] : tensor<4096xf32> -> tensor<f32>
    %e = tensor.extract %s[] : tensor<f32>
    %v = arith.constant 409.6 : f32
    %isLess = arith.cmpf olt, %e, %v : f32
    // NOTE: bounds.mlir:[[@LINE+1]]:5: note: whether this holds is within what a correct implementation may differ by; what follows from it is not checkable
    scf.if %isLess {
      %one = arith.constant 1.0 : f32
      memref.store %one, %o[%c0] : memref<1xf32>
    } else {
      %two = arith.constant 2.0 : f32
      memref.store %two, %o[%c0] : memref<1xf32>
    }
  }
  return
}
