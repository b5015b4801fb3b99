// Exchanges of what a loop does not change stand in front of it, one for all that want
// the same, unless a thread lacks the registers, which is said.
// RUN: tile-opt %s --tile-infer-layouts | FileCheck %s
// RUN: tile-opt %s --tile-infer-layouts --verify-diagnostics --remark-format=emitRemark --remarks-filter-missed='tile-infer-layouts' -o /dev/null

#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#g = #tile.fragment<[128], register = [], lane = [32 : (4)], warp = [4 : (1)]>
#all = #tile.fragment<[128], register = [128 : (1)], lane = [32 : (0)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {

// Out of both loops; what the inner one is given by the outer out of the inner alone.
// CHECK-LABEL: func.func @loops
// CHECK: %[[X:.*]] = tile.load
// CHECK-DAG: %[[G:.*]] = tile.convert_layout %[[X]] {{.*}} lane = [32 : (4)], warp = [4 : (1)]>>
// CHECK-DAG: %[[ALL:.*]] = tile.convert_layout %[[X]] {{.*}} register = [128 : (1)]
// CHECK-NOT: tile.convert_layout
// CHECK: scf.for
// CHECK: %[[Y:.*]] = tile.load
// CHECK: %[[H:.*]] = tile.convert_layout %[[Y]]
// CHECK: scf.for
// CHECK-NOT: tile.convert_layout
// CHECK: tile.store %[[G]], {{.*}}[%c0]
// CHECK: tile.store %[[G]],
// CHECK: tile.store %[[ALL]],
// CHECK: tile.store %[[H]],
// CHECK: scf.if
// CHECK: tile.convert_layout
func.func @loops(%n: index, %s: memref<128xf32>, %t: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @loops_kernel blocks(%b) in (%c1) threads(128) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %x = tile.load %s : memref<128xf32> -> tensor<128xf32, #f>
    scf.for %i = %c0 to %n step %one {
      %y = tile.load %t[%c0] : memref<1024xf32> -> tensor<128xf32, #f>
      scf.for %j = %c0 to %n step %one {
        // expected-remark @below {{LayoutConversion}}
        %x0 = tile.convert_layout %x : tensor<128xf32, #f> to tensor<128xf32, #g>
        tile.store %x0, %t[%c0] : tensor<128xf32, #g>, memref<1024xf32>
        %x1 = tile.convert_layout %x : tensor<128xf32, #f> to tensor<128xf32, #g>
        tile.store %x1, %t[%c128] : tensor<128xf32, #g>, memref<1024xf32>
        // expected-remark @below {{LayoutConversion}}
        %x2 = tile.convert_layout %x : tensor<128xf32, #f> to tensor<128xf32, #all>
        tile.store %x2, %t[%c256] : tensor<128xf32, #all>, memref<1024xf32>
        // expected-remark @below {{LayoutConversion}}
        %y0 = tile.convert_layout %y : tensor<128xf32, #f> to tensor<128xf32, #g>
        tile.store %y0, %t[%i] : tensor<128xf32, #g>, memref<1024xf32>
        %is = arith.cmpi eq, %i, %j : index
        scf.if %is {
          // expected-remark @below {{LayoutConversion}}
          %x3 = tile.convert_layout %x : tensor<128xf32, #f> to tensor<128xf32, #g>
          tile.store %x3, %t[%j] : tensor<128xf32, #g>, memref<1024xf32>
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @registers
// CHECK: scf.for
// CHECK: tile.convert_layout
func.func @registers(%n: index, %s: memref<128xf32>, %t: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @registers_kernel blocks(%b) in (%c1) threads(128) attributes {stage = #tile.stage<logical>, max_registers = 160 : i64} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %x = tile.load %s : memref<128xf32> -> tensor<128xf32, #f>
    scf.for %i = %c0 to %n step %one {
      // expected-remark @below {{[Missed] ExchangeInLoop | Category:tile-infer-layouts | Function=registers_kernel | Reason="128 registers a thread change their layout in every iteration, though their values do not; in front of the loop that would take some 274 registers of 160"}}
      // expected-remark @below {{LayoutConversion}}
      %x0 = tile.convert_layout %x : tensor<128xf32, #f> to tensor<128xf32, #all>
      tile.store %x0, %t[%c0] : tensor<128xf32, #all>, memref<1024xf32>
      tile.store %x, %t[%i] : tensor<128xf32, #f>, memref<1024xf32>
      %y = tile.load %t[%i] : memref<1024xf32> -> tensor<128xf32, #all>
      %z = arith.addf %y, %y : tensor<128xf32, #all>
      tile.store %z, %t[%i] : tensor<128xf32, #all>, memref<1024xf32>
    }
  }
  return
}
}
