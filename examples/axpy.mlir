// y = alpha * x + y: the program of the README.
//
// Sizes are static and divide the tiles, so no access needs a bounds check, and
// each thread moves 16 bytes at a time.
//
//   tile-run examples/axpy.mlir --entry=axpy --on=emulator --check --scalar=0:2.5

func.func @axpy(%alpha: f32, %x: memref<65536xf32>, %y: memref<65536xf32>) {
  %blocks = arith.constant 64 : index
  tile.launch @axpy_kernel blocks(%block) in (%blocks) threads(256) {
    %c1024 = arith.constant 1024 : index
    %start = arith.muli %block, %c1024 : index
    %a = tensor.splat %alpha : tensor<1024xf32>
    %u = tile.load %x[%start] : memref<65536xf32> -> tensor<1024xf32>
    %v = tile.load %y[%start] : memref<65536xf32> -> tensor<1024xf32>
    %w = math.fma %a, %u, %v : tensor<1024xf32>
    tile.store %w, %y[%start] : tensor<1024xf32>, memref<65536xf32>
  }
  return
}
