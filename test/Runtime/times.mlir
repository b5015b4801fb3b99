// --time runs each launch again, on what its buffers were before it: a counter that had
// moved on would fail the assertion. The results are those of the first run.
// RUN: tile-run %s --on=emulator --check --time=2 --warm-up=3 | FileCheck %s
// RUN: tile-run %s --on=emulator --check --time | FileCheck %s --check-prefix=DEFAULT
// RUN: env LD_LIBRARY_PATH=%fake_drivers/current tile-run %s --on=cuda --check --time=2 | FileCheck %s --check-prefix=CUDA
// CHECK: launch 0 of 'count_kernel': median {{[0-9.]+}} ms, least {{[0-9.]+}} ms, most {{[0-9.]+}} ms of 2 runs after 3 to warm up (the host's clock, no copies)
// CHECK-NEXT: launch 1 of 'again': median
// CHECK-NEXT: argument 0: memref<1xi32> equal: 1 elements (1 exact)
// CHECK-NOT: launch
// DEFAULT: launch 0 of 'count_kernel': {{.*}} of 5 runs after 1 to warm up
// CUDA: launch 0 of 'count_kernel': {{.*}} of 2 runs after 1 to warm up (the device's clock, no copies)
// CUDA: argument 0: memref<1xi32> equal: 1 elements
func.func @count(%counter: memref<1xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch @count_kernel blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %old = memref.atomic_rmw addi %one, %counter[%c0] : (i32, memref<1xi32>) -> i32
    %isFirst = arith.cmpi eq, %old, %zero : i32
    tile.assert %isFirst, "the counter has moved on"
  }
  tile.launch @again blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %old = memref.atomic_rmw addi %one, %counter[%c0] : (i32, memref<1xi32>) -> i32
    %isSecond = arith.cmpi eq, %old, %one : i32
    tile.assert %isSecond, "the counter has moved on"
  }
  return
}
