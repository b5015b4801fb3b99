// Math functions and regions branch by what they are given, in registers that hold
// padding too. Each layout below has a register that lies beyond the shape in every
// thread: what comes into it differs by the operation that makes the fragment.
// RUN: tile-run %s --entry=converted --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=converted --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=elements --scalar=0:1.25 --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=elements --scalar=0:1.25 --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=reshaped --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=reshaped --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=scanned --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=scanned --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=combined --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=combined --on=emulator --chip=sm_90a --check

// Every lane holds all; (register 4, lane 8) -> (24).
#dense = #tile.fragment<[24], register = [24 : (1)], lane = [32 : (0)], warp = []>
#padded = #tile.fragment<[24], register = [4 : (8)], lane = [8 : (1), 4 : (0)], warp = []>

func.func @converted(%a: memref<24xf32>, %o: memref<24xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %e = arith.constant dense<1.5> : tensor<24xf32>
    %t = tile.load %a : memref<24xf32> -> tensor<24xf32, #dense>
    %u = tile.convert_layout %t : tensor<24xf32, #dense> to tensor<24xf32, #padded>
    %p = math.powf %u, %u : tensor<24xf32, #padded>
    tile.store %p, %o : tensor<24xf32, #padded>, memref<24xf32>
  }
  return
}

// (register 4) -> (3), in every lane
#elements = #tile.fragment<[3], register = [4 : (1)], lane = [32 : (0)], warp = []>

func.func @elements(%s: f32, %o: memref<3xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %t = tensor.from_elements %s, %s, %s : tensor<3xf32, #elements>
    %p = math.powf %t, %t : tensor<3xf32, #elements>
    tile.store %p, %o : tensor<3xf32, #elements>, memref<3xf32>
  }
  return
}

// The scanned dimension has one register more than elements.
func.func @scanned(%a: memref<24xf32>, %o: memref<24xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %t = tile.load %a : memref<24xf32> -> tensor<24xf32, #padded>
    %s = tile.scan <maxnumf> %t dim 0 : tensor<24xf32, #padded>
    %p = math.powf %s, %s : tensor<24xf32, #padded>
    tile.store %p, %o : tensor<24xf32, #padded>, memref<24xf32>
  }
  return
}

#taller = #tile.fragment<[3, 32], register = [4 : (1, 0)], lane = [32 : (0, 1)], warp = []>
#plane = #tile.fragment<[1, 3, 32], register = [4 : (0, 1, 0)], lane = [32 : (0, 0, 1)], warp = []>

func.func @reshaped(%a: memref<3x32xf32>, %o: memref<1x3x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %t = tile.load %a : memref<3x32xf32> -> tensor<3x32xf32, #taller>
    %u = tensor.expand_shape %t [[0, 1], [2]] output_shape [1, 3, 32] : tensor<3x32xf32, #taller> into tensor<1x3x32xf32, #plane>
    %p = math.powf %u, %u : tensor<1x3x32xf32, #plane>
    tile.store %p, %o : tensor<1x3x32xf32, #plane>, memref<1x3x32xf32>
  }
  return
}

// Padding along a dimension that is not reduced reaches the combiner too.
#largest = #tile.fragment<[1, 3], register = [4 : (0, 1)], lane = [32 : (0, 0)], warp = []>

func.func @combined(%a: memref<3x32xf32>, %o: memref<1x3xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %t = tile.load %a : memref<3x32xf32> -> tensor<3x32xf32, #taller>
    %u = tensor.expand_shape %t [[0, 1], [2]] output_shape [1, 3, 32] : tensor<3x32xf32, #taller> into tensor<1x3x32xf32, #plane>
    %m = tile.reduce (%u) dims [2] : (tensor<1x3x32xf32, #plane>) -> (tensor<1x3xf32, #largest>) {
    ^bb0(%y: f32, %z: f32):
      %c = arith.constant 1.5 : f32
      %b = math.absf %y : f32
      %d = math.absf %z : f32
      %v = math.powf %b, %c : f32
      %w = math.powf %d, %c : f32
      %greater = arith.cmpf ogt, %v, %w : f32
      %larger = arith.select %greater, %y, %z : f32
      tile.yield %larger : f32
    }
    tile.store %m, %o : tensor<1x3xf32, #largest>, memref<1x3xf32>
  }
  return
}
