// A convolution of 3 x 3 with stride 2 and padding 1, and a ReLU: an implicit GEMM.
//
// `tile.im2col` makes a tile of the matrix whose product with the filter is the
// convolution, without that matrix in memory: its rows count output positions
// (image, row, column), its columns (kernel row, kernel column, channel). What lies
// outside of an image reads as zero. The filter is a plain matrix of 3 * 3 * 32 by 64.
//
//   tile-run examples/conv2d.mlir --entry=conv2d --on=emulator --check --dim=images:2 --shape=2:144x64

#shared = #gpu.address_space<workgroup>

// Y has a row for each output position: 8 x 9 of an image of 15 x 17.
func.func @conv2d(%X: memref<?x15x17x32xf16> {tile.dims = ["images", "", "", ""]},
                  %W: memref<288x64xf16>,
                  %Y: memref<?x64xf16> {tile.divisible = array<i64: 72, 1>}) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c288 = arith.constant 288 : index
  %positions = memref.dim %Y, %c0 : memref<?x64xf16>
  %blocks = arith.ceildivui %positions, %c64 : index
  tile.launch @conv2d_kernel blocks(%b) in (%blocks) threads(128) {
    %row = arith.muli %b, %c64 : index
    %Xs = tile.alloc : memref<64x32xf16, #shared>
    %Ws = tile.alloc : memref<32x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c288 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.im2col %X[%row, %k] to %Xs
        {kernel = [3, 3], strides = [2, 2], dilations = [1, 1], padding = [1, 1]}
        : memref<?x15x17x32xf16> to memref<64x32xf16, #shared>
      tile.copy %W[%k, %c0] to %Ws : memref<288x64xf16> to memref<32x64xf16, #shared>
      %d = tile.gemm %Xs, %Ws, %c
        : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    %relu = arith.maximumf %acc, %zero : tensor<64x64xf32>
    tile.store %relu, %Y[%row, %c0] : tensor<64x64xf32>, memref<?x64xf16>
  }
  return
}
