// A gated linear recurrence along time, as in state-space models:
//
//   h[c, t] = a[c, t] * h[c, t - 1] + x[c, t],   h[c, -1] = 0
//
// Two steps (a0, x0) and (a1, x1) in a row are one step (a0 * a1, x0 * a1 + x1).
// That composition is associative, so a scan with a combiner computes all prefixes
// of a chunk of time at once; it is not commutative, and a scan keeps the order. What
// came before the chunk enters afterwards: h = gain * carry + state.
//
// The carry is the last column of h, picked by a mask and a sum: the column lies in
// one lane of each row, and the sum gives it to all.
//
//   tile-run examples/linear_recurrence.mlir --entry=linear_recurrence --on=emulator --check --dim=C:40 --dim=T:300 "--data=0:uniform(0,1)"

func.func @linear_recurrence(%a: memref<?x?xf32> {tile.dims = ["C", "T"], tile.divisible = array<i64: 1, 4>},
                             %x: memref<?x?xf32> {tile.dims = ["C", "T"], tile.divisible = array<i64: 1, 4>},
                             %h: memref<?x?xf32> {tile.dims = ["C", "T"], tile.divisible = array<i64: 1, 4>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %channels = memref.dim %a, %c0 : memref<?x?xf32>
  %time = memref.dim %a, %c1 : memref<?x?xf32>
  %blocks = arith.ceildivui %channels, %c16 : index
  tile.launch @linear_recurrence_kernel blocks(%bx) in (%blocks) threads(128) {
    %start = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %row = arith.muli %bx, %c16 : index
    %none = arith.constant dense<0.0> : tensor<16xf32>
    %zero = arith.constant dense<0.0> : tensor<16x128xf32>
    %last = tile.parallel (%i, %j) in (16, 128) -> (tensor<16x128xi1>) {
      %c127 = arith.constant 127 : index
      %is = arith.cmpi eq, %j, %c127 : index
      tile.yield %is : i1
    }
    %end = scf.for %t = %start to %time step %c128 iter_args(%carry = %none) -> (tensor<16xf32>) {
      %at = tile.load %a[%row, %t] : memref<?x?xf32> -> tensor<16x128xf32>
      %xt = tile.load %x[%row, %t] : memref<?x?xf32> -> tensor<16x128xf32>
      %gain, %state = tile.scan (%at, %xt) dim 1 : (tensor<16x128xf32>, tensor<16x128xf32>) {
      ^bb0(%a0: f32, %x0: f32, %a1: f32, %x1: f32):
        %g = arith.mulf %a0, %a1 : f32
        %s = arith.mulf %x0, %a1 fastmath<contract> : f32
        %n = arith.addf %s, %x1 fastmath<contract> : f32
        tile.yield %g, %n : f32, f32
      }
      %before = tile.broadcast %carry dims [1] : tensor<16xf32> -> tensor<16x128xf32>
      %through = arith.mulf %gain, %before fastmath<contract> : tensor<16x128xf32>
      %ht = arith.addf %through, %state fastmath<contract> : tensor<16x128xf32>
      tile.store %ht, %h[%row, %t] : tensor<16x128xf32>, memref<?x?xf32>
      %picked = arith.select %last, %ht, %zero : tensor<16x128xi1>, tensor<16x128xf32>
      %next = tile.reduce <add> %picked dims [1] : tensor<16x128xf32> -> tensor<16xf32>
      scf.yield %next : tensor<16xf32>
    }
  }
  return
}
