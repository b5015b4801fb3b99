// Operations that passes introduce: layouts, arenas, waits, one actor, outlined
// kernels.
// RUN: tile-run %s --entry=layouts --on=reference --data=iota | FileCheck %s --check-prefix=LAYOUT
// RUN: tile-run %s --entry=arena --on=reference --data=iota | FileCheck %s --check-prefix=ARENA
// RUN: tile-run %s --entry=waited --on=reference --data=iota | FileCheck %s --check-prefix=WAITED
// RUN: not tile-run %s --entry=not_waited --on=reference 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: tile-run %s --entry=outlined --on=reference --data=iota | FileCheck %s --check-prefix=OUTLINED
#shared = #gpu.address_space<workgroup>
#x = #tile.fragment<[2, 128], register = [2 : (1, 0)], lane = [32 : (0, 1)], warp = [4 : (0, 32)]>
#p = #tile.fragment<[2, 4], register = [2 : (1, 0)], lane = [32 : (0, 0)], warp = [4 : (0, 1)]>

module attributes {gpu.container_module, tile.target = #tile.target<"sm_80">} {

// Warp w holds columns 32 w to 32 w + 31: row 0 sums to 32 * 32 w + 496.
func.func @layouts(%m: memref<2x128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %t = tile.load %m : memref<2x128xf32> -> tensor<2x128xf32, #x>
    %s = tile.partial_reduce <add> %t dims [1] : tensor<2x128xf32, #x> -> tensor<2x4xf32, #p>
    // LAYOUT: parts (block 0, 0, 0): {{\[\[}}496, 1520, 2544, 3568], [4592, 5616, 6640, 7664]]
    tile.print "parts" %s : tensor<2x4xf32, #p>
    %c = tile.convert_layout %s : tensor<2x4xf32, #p> to tensor<2x4xf32>
    // LAYOUT: same (block 0, 0, 0): {{\[\[}}496, 1520,
    tile.print "same" %c : tensor<2x4xf32>
  }
  return
}

// A swizzled view and a plain one of the same bytes: row 1 of 64 bytes in mode 64
// has its 16-byte columns XORed with (row / 2) mod 4, so row 2's column 0 lies at
// column 1 of 16 bytes, elements 8 and on.
func.func @arena(%m: memref<4x32xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %a = tile.arena 1024 : memref<1024xi8, #shared>
    %s = tile.view %a[512] layout(#tile.shared<[4, 32], swizzle = 64>) : memref<1024xi8, #shared> to memref<4x32xf16, #shared>
    %l = tile.view %a[512] layout(#tile.shared<[4, 32]>) : memref<1024xi8, #shared> to memref<4x32xf16, #shared>
    tile.copy %m to %s : memref<4x32xf16> to memref<4x32xf16, #shared>
    %t = tile.load %s : memref<4x32xf16, #shared> -> tensor<4x32xf16>
    %u = tile.load %l : memref<4x32xf16, #shared> -> tensor<4x32xf16>
    %r = tensor.extract_slice %t[2, 0] [1, 2] [1, 1] : tensor<4x32xf16> to tensor<2xf16>
    %q = tensor.extract_slice %u[2, 0] [1, 10] [1, 1] : tensor<4x32xf16> to tensor<10xf16>
    // ARENA: swizzled (block 0, 0, 0): [64, 65]
    tile.print "swizzled" %r : tensor<2xf16>
    // ARENA: plain (block 0, 0, 0): [72, 73, 74, 75, 76, 77, 78, 79, 64, 65]
    tile.print "plain" %q : tensor<10xf16>
    tile.once {
      %v = arith.constant 5.0 : f16
      memref.store %v, %l[%c0, %c0] : memref<4x32xf16, #shared>
    }
    tile.barrier
    %e = memref.load %s[%c0, %c0] : memref<4x32xf16, #shared>
    // ARENA: once (block 0, 0, 0): 5
    tile.print "once" %e : f16
  }
  return
}

func.func @waited(%m: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @waited_kernel blocks(%b) in (%c1) threads(32) attributes {stage = #tile.stage<synchronized>} {
    %a = tile.arena 256 : memref<256xi8, #shared>
    %s = tile.view %a[0] layout(#tile.shared<[64]>) : memref<256xi8, #shared> to memref<64xf32, #shared>
    tile.copy %m to %s {instruction = "cp.async", layout = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>, vector_width = 2 : i64} : memref<64xf32> to memref<64xf32, #shared>
    tile.copy_wait
    tile.barrier
    %c3 = arith.constant 3 : index
    %v = memref.load %s[%c3] : memref<64xf32, #shared>
    // WAITED: value (block 0, 0, 0): 3
    tile.print "value" %v : f32
  }
  return
}

func.func @not_waited(%m: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @not_waited_kernel blocks(%b) in (%c1) threads(32) attributes {stage = #tile.stage<synchronized>} {
    %a = tile.arena 256 : memref<256xi8, #shared>
    %s = tile.view %a[0] layout(#tile.shared<[64]>) : memref<256xi8, #shared> to memref<64xf32, #shared>
    tile.copy %m to %s {instruction = "cp.async", layout = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>, vector_width = 2 : i64} : memref<64xf32> to memref<64xf32, #shared>
    tile.barrier
    %c3 = arith.constant 3 : index
    %v = memref.load %s[%c3] : memref<64xf32, #shared>
    %z = arith.constant 0.0 : f32
    %p = arith.cmpf ogt, %v, %z : f32
    // MISSING: error: the condition depends on memory that nobody wrote
    tile.assert %p, "positive"
  }
  return
}

gpu.module @kernels {
  gpu.func @double(%m: memref<?xf32>, %n: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>, tile.stage = #tile.stage<outlined>} {
    %x = gpu.block_id x
    %i = arith.muli %x, %n : index
    %v = memref.load %m[%i] : memref<?xf32>
    %d = arith.addf %v, %v : f32
    tile.once {
      memref.store %d, %m[%i] : memref<?xf32>
    }
    gpu.return
  }
}

func.func @outlined(%m: memref<6xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %bytes = arith.constant 0 : i32
  %d = memref.cast %m : memref<6xf32> to memref<?xf32>
  gpu.launch_func @kernels::@double blocks in (%c3, %c1, %c1) threads in (%c32, %c1, %c1) dynamic_shared_memory_size %bytes args(%d : memref<?xf32>, %c2 : index)
  func.call @show(%m) : (memref<6xf32>) -> ()
  return
}

func.func private @show(%m: memref<6xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %t = tile.load %m : memref<6xf32> -> tensor<6xf32>
    // OUTLINED: doubled (block 0, 0, 0): [0, 1, 4, 3, 8, 5]
    tile.print "doubled" %t : tensor<6xf32>
  }
  return
}
}
