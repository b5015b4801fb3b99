// The report says what decided layouts: here a product and, of the bias, what is added
// to its result.
// RUN: tile-opt %source_dir/examples/gemm_bias_gelu.mlir --emit=report --chip=sm_80 | FileCheck %s
// RUN: tile-opt %source_dir/examples/gemm_bias_gelu.mlir --emit=report --format=json --chip=sm_80 | FileCheck %s --check-prefix=JSON

// Of a program whose layouts were chosen before, what stands in it.
// RUN: tile-opt %source_dir/examples/gemm_bias_gelu.mlir --tile-logical-phase=chip=sm_80 --tile-layout-phase -o %t.mlir
// RUN: tile-opt %t.mlir --emit=report | FileCheck %s --check-prefix=STANDING
// RUN: tile-opt %t.mlir --emit=layouts | FileCheck %s --check-prefix=DRAWN
// STANDING: gemms
// STANDING-NEXT: mma.sync.aligned.m16n8k16
// STANDING: copies
// STANDING-NEXT: cp.async
// STANDING: fragments
// STANDING-NEXT: tensor<128x128xf32>:
// DRAWN: tensor<128x128xf32>: {{.*}}tile.gemm
// DRAWN: memref<{{.*}}>: tile.alloc

// CHECK: layouts
// CHECK: tensor<128x128xf32>: product {{.*}}gemm_bias_gelu.mlir:
// CHECK-NEXT: [128, 128], register =
// CHECK-NEXT: costs [[COST:[0-9]+]], the next best {{[0-9]+}}: [128, 128], register =
// CHECK: tensor<128xf32>: implied from {{.*}}gemm_bias_gelu.mlir:
// CHECK-NEXT: [128], register =
// CHECK-NEXT: costs [[COST]], the next best

// JSON: "layouts": [
// JSON: "decided_by": "product",
// JSON-NEXT: "from": "{{.*}}gemm_bias_gelu.mlir:
// JSON: "from": null,
// JSON-NEXT: "cost": [[COST:[0-9]+]],
// JSON-NEXT: "runner_up": {
// JSON-NEXT: "layout": "[128, 128], register =
// JSON-NEXT: "cost": {{[0-9]+}}
// JSON: "decided_by": "implied",
// JSON-NEXT: "from": "{{.*}}gemm_bias_gelu.mlir:
