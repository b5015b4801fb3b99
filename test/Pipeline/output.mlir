// tile-opt -o: the text of standard output; a file that cannot be written is named.
// RUN: tile-opt %s > %t.1
// RUN: tile-opt %s -o %t.2
// RUN: cmp %t.1 %t.2
// RUN: not tile-opt %s -o /dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not tile-opt %s --emit=ptx --chip=sm_80 -o /dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: error: cannot write '/dev/full': No space left on device
// RUN: not tile-opt %s -o %t.no/out.mlir 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: cannot open output file '{{.*}}no/out.mlir': No such file or directory
// RUN: tile-opt --show-dialects -o /dev/full | FileCheck %s --check-prefix=DIALECTS
// DIALECTS: tile
// A pass that fails leaves what was there.
// RUN: not tile-opt %t.wrong -o %t.2
// RUN: not tile-opt %s --tile-insert-barriers -o %t.2
// RUN: cmp %t.1 %t.2
func.func @fill(%o: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %t = arith.constant dense<3.0> : tensor<4xf32>
    tile.store %t, %o : tensor<4xf32>, memref<4xf32>
  }
  return
}
