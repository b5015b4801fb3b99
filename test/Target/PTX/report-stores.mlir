// Stores have the width of what is emitted: that of rows where the result goes by way of
// shared memory, of a fragment's pieces else. What a bulk copy takes from there is a copy.
// RUN: tile-opt %s --emit=report --chip=sm_80 | FileCheck %s --check-prefix=THREADS -DFILE=%s
// RUN: tile-opt %s --emit=report --format=json --chip=sm_80 | FileCheck %s --check-prefix=JSON -DFILE=%s
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --check-prefix=BULK -DFILE=%s

// THREADS: {{^}}  stores{{$}}
// THREADS-NEXT: 8 bytes an access [[FILE]]:[[#@LINE+28]]:5
// THREADS-NEXT: 16 bytes an access [[FILE]]:[[#@LINE+28]]:5
// THREADS-NEXT: 4 bytes an access [[FILE]]:[[#@LINE+30]]:5
// THREADS: {{^}}  remarks{{$}}
// THREADS: :[[#@LINE+25]]:5: StoreInRows

// JSON: "stores": [
// JSON: "location": "[[FILE]]:[[#@LINE+22]]:5",
// JSON-NEXT: "bytes_per_access": 16,
// JSON-NEXT: "inner_bytes_per_access": 16

// BULK: {{^}}  copies{{$}}
// BULK: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group, 16384 bytes an access [[FILE]]:[[#@LINE+17]]:5
// BULK: {{^}}  stores{{$}}
// BULK-NOT: :[[#@LINE+15]]:5
// BULK: {{^}}  fragments{{$}}

#shared = #gpu.address_space<workgroup>
func.func @f(%a: memref<128x64xf16>, %b: memref<64x128xf16>, %y: memref<128x128xf16>, %w: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @k blocks(%x) in (%c1) threads(128) {
    %as = tile.alloc : memref<128x64xf16, #shared>
    %bs = tile.alloc : memref<64x128xf16, #shared>
    tile.copy %a to %as : memref<128x64xf16> to memref<128x64xf16, #shared>
    tile.copy %b to %bs : memref<64x128xf16> to memref<64x128xf16, #shared>
    %d = tile.gemm %as, %bs : memref<128x64xf16, #shared>, memref<64x128xf16, #shared> -> tensor<128x128xf32>
    %r = arith.truncf %d : tensor<128x128xf32> to tensor<128x128xf16>
    %own = tile.alloc : memref<128x128xf32, #shared>
    tile.store %d, %own : tensor<128x128xf32>, memref<128x128xf32, #shared>
    tile.store %r, %y : tensor<128x128xf16>, memref<128x128xf16>
    %s = tile.load %w : memref<128xf32> -> tensor<128xf32>
    %t = arith.addf %s, %s : tensor<128xf32>
    tile.store %t, %w : tensor<128xf32>, memref<128xf32>
  }
  return
}
