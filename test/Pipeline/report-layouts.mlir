// The report says what decided layouts: here a product and, of the bias, what is added
// to its result.
// RUN: tile-opt %source_dir/examples/gemm_bias_gelu.mlir --emit=report --chip=sm_80 | FileCheck %s
// RUN: tile-opt %source_dir/examples/gemm_bias_gelu.mlir --emit=report --format=json --chip=sm_80 | FileCheck %s --check-prefix=JSON

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
