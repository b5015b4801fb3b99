// A conversion to a narrow float that no instruction makes is said, once for each place.
// RUN: tile-opt %s --tile-compile="chip=sm_80" --remark-format=emitRemark --remarks-filter-missed=convert-tile-to-nvvm -o /dev/null 2>&1 | FileCheck %s --check-prefixes=OLD-REMARK,REMARK --implicit-check-not=SoftwareConversion
// RUN: tile-opt %s --tile-compile="chip=sm_90a" --remark-format=emitRemark --remarks-filter-missed=convert-tile-to-nvvm -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=SoftwareConversion

func.func @casts(%a: memref<?xf32>, %b: memref<?xf8E4M3FN>, %c: memref<?xf4E2M1FN>) {
  %c1 = arith.constant 1 : index
  tile.launch @casts_kernel blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %t = tile.load %a[%c0] : memref<?xf32> -> tensor<1024xf32>
    // OLD-REMARK: [[#@LINE+1]]:10: remark: [Missed] SoftwareConversion {{.*}} Function=casts_kernel {{.*}}each element becomes f8E4M3FN by some 20 operations on integers: sm_80 has no instruction for it; sm_89 is the first chip that has
    %u = arith.truncf %t : tensor<1024xf32> to tensor<1024xf8E4M3FN>
    tile.store %u, %b[%c0] : tensor<1024xf8E4M3FN>, memref<?xf8E4M3FN>
    // REMARK: [[#@LINE+1]]:5: remark: [Missed] SoftwareConversion {{.*}} Function=casts_kernel {{.*}}each element becomes f4E2M1FN by some 20 operations on integers: the compiler uses no instruction for it on any chip
    tile.store %t, %c[%c0] : tensor<1024xf32>, memref<?xf4E2M1FN>
  }
  return
}
