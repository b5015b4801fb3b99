// Operations that the compiler does not know stay in a module that it compiles.
// RUN: tile-opt %s --emit=nvvm --chip=sm_80 --allow-unregistered-dialect | FileCheck %s
// RUN: tile-opt %s --emit=ptx --chip=sm_80 --allow-unregistered-dialect | FileCheck %s --check-prefix=PTX
// RUN: not tile-opt %s --emit=ptx --chip=sm_80 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// CHECK: "graph.weights"() {size = 4 : i64} : () -> ()
// CHECK: llvm.func @fill
// PTX: .visible .entry fill(
// UNKNOWN: error: {{.*}}unregistered dialect
module {
  "graph.weights"() {size = 4} : () -> ()
  func.func @f(%o: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    tile.launch @fill blocks(%b) in (%c1) threads(32) {
      %x = arith.constant dense<1.0> : tensor<4xf32>
      tile.store %x, %o : tensor<4xf32>, memref<4xf32>
    }
    return
  }
}
