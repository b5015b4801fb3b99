// RUN: tile-opt %s --verify-diagnostics --split-input-file

func.func @logical_target(%n: index) {
  // expected-error@+1 {{breaks stage 'logical': the module has no 'tile.target'; run 'tile-set-target'}}
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
  }
  return
}

// -----

module attributes {tile.target = #tile.target<"sm_80">} {
func.func @logical_name(%n: index) {
  // expected-error@+1 {{breaks stage 'logical': it has no name}}
  tile.launch blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
  }
  return
}
}

// -----

module attributes {tile.target = #tile.target<"sm_80">} {
func.func @logical_grid(%n: index) {
  // expected-error@+1 {{breaks stage 'logical': 'rasterize' and 'persistent' are expanded by 'tile-expand-grid'}}
  tile.launch @k blocks(%a) in (%n) threads(128) attributes {persistent, stage = #tile.stage<logical>} {
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @logical_call(%n: index) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    // expected-error@+1 {{'func.call' op breaks stage 'logical': calls are inlined by 'tile-inline-calls'}}
    func.call @f() : () -> ()
  }
  return
}
func.func @f() { return }
}

// -----

module attributes {tile.target = #tile.target<"sm_80">} {
func.func @launch_outlined(%n: index) {
  // expected-error@+1 {{breaks stage 'outlined': launches have become kernels by then}}
  tile.launch @k blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<outlined>} {
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @type(%n: index) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    // expected-error@+1 {{'arith.constant' op breaks stage 'laid_out': 'tensor<128xf32>' has no layout; 'tile-infer-layouts' chooses it}}
    %t = arith.constant dense<1.0> : tensor<128xf32>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @alloc(%n: index) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    // expected-error@+1 {{'tile.alloc' op breaks stage 'laid_out': it has no 'layout'; 'tile-infer-layouts' chooses it}}
    %s = tile.alloc : memref<128xf32, #shared>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @copy(%n: index, %g: memref<128xf32>, %h: memref<128xf32>) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    // expected-error@+1 {{'tile.copy' op breaks stage 'laid_out': it has no 'instruction'}}
    tile.copy %g to %h {layout = #v, vector_width = 1} : memref<128xf32> to memref<128xf32>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @copy_instruction(%n: index, %g: memref<128xf32>, %h: memref<128xf32>) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    // expected-error@+1 {{no instruction is named 'tma'; a matrix instruction has its full PTX name, as in 'mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32', copies are 'ld.st' and 'cp.async'}}
    tile.copy %g to %h {layout = #v, vector_width = 1, instruction = #tile.instruction<"tma">} : memref<128xf32> to memref<128xf32>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @copy_async_space(%n: index, %g: memref<128xf32>, %h: memref<128xf32>) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    // expected-error@+1 {{#tile.instruction<"cp.async"> does not move these elements between these memories: 'memref<128xf32>' and 'memref<128xf32>'}}
    tile.copy %g to %h {layout = #v, vector_width = 1, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to memref<128xf32>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @copy_async_bytes(%n: index, %g: memref<128xf16>) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf16, #shared>
    // expected-error@+1 {{#tile.instruction<"cp.async"> moves 4, 8, 16 bytes an access, got 16 bits}}
    tile.copy %g to %s {layout = #v, vector_width = 1, instruction = #tile.instruction<"cp.async">} : memref<128xf16> to memref<128xf16, #shared>
  }
  return
}
}

// -----

// Bytes are no numbers that the chip adds.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @copy_combines(%n: index, %g: memref<128xi8>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xi8, #shared>
    // expected-error@+1 {{breaks stage 'laid_out': #tile.instruction<"cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group"> does not combine elements of type i8}}
    tile.copy %s to %g {instruction = #tile.instruction<"cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group">} : memref<128xi8, #shared> to memref<128xi8>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#i = #tile.fragment<[16, 8], register = [], lane = [8 : (0, 1), 4 : (1, 0)], warp = [4 : (4, 0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @im2col_instruction(%n: index, %x: memref<1x8x8x8xf16>) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %s = tile.alloc layout(#tile.shared<[16, 8]>) : memref<16x8xf16, #shared>
    // expected-error@+1 {{'tile.im2col' op breaks stage 'laid_out': it has no 'instruction'; 'tile-infer-layouts' chooses it}}
    tile.im2col %x[%a, %a] to %s {kernel = [1, 1], strides = [1, 1], dilations = [1, 1], padding = [0, 0], layout = #i, vector_width = 1} : memref<1x8x8x8xf16> to memref<16x8xf16, #shared>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @parallel_layout(%n: index) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    // expected-error@+1 {{'tile.parallel' op breaks stage 'laid_out': it has no 'layout'}}
    tile.parallel (%i) in (128) {
    }
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @parallel_result(%n: index) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %one = arith.constant 1.0 : f32
    // expected-error@+1 {{'tile.parallel' op breaks stage 'laid_out': the result has layout #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>, but #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]> follows from the other side; put a 'tile.convert_layout' between}}
    %p = tile.parallel (%i) in (128) -> (tensor<128xf32, #w>) attributes {layout = #v, vector_width = 1} {
      tile.yield %one : f32
    }
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @own_element(%n: index) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %t = arith.constant dense<1.0> : tensor<128xf32, #w>
    tile.parallel (%i) in (128) attributes {layout = #v, vector_width = 1} {
      // expected-error@+1 {{'tensor.extract' op breaks stage 'laid_out': the fragment has layout}}
      %e = tensor.extract %t[%i] : tensor<128xf32, #w>
    }
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @broadcast(%n: index) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %t = arith.constant dense<1.0> : tensor<128xf32, #w>
    // expected-error@+1 {{'tile.broadcast' op breaks stage 'laid_out': the operand has layout}}
    %b = tile.broadcast %t dims [1] : tensor<128xf32, #w> -> tensor<128x2xf32, #tile.fragment<[128, 2], register = [2 : (0, 1)], lane = [32 : (1, 0)], warp = [4 : (32, 0)]>>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @transpose(%n: index) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %t = arith.constant dense<1.0> : tensor<128xf32, #w>
    // expected-error@+1 {{'tile.transpose' op breaks stage 'laid_out': the result has layout}}
    %b = tile.transpose %t [0] : tensor<128xf32, #w> -> tensor<128xf32, #v>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @scan(%n: index) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %t = arith.constant dense<1.0> : tensor<128xf32, #w>
    // expected-error@+1 {{'tile.scan' op breaks stage 'laid_out': the operand has layout}}
    %b = tile.scan <add> %t dim 0 : tensor<128xf32, #w> -> tensor<128xf32, #v>
  }
  return
}
}

// -----

#a = #tile.fragment<[32, 16], register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (16, 0), 2 : (0, 0)]>
#b = #tile.fragment<[16, 32], register = [2 : (1, 0), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (2, 0), 8 : (0, 1)], warp = [2 : (0, 0), 2 : (0, 16)]>
#c = #tile.fragment<[32, 32], register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (16, 0), 2 : (0, 16)]>
#w = #tile.fragment<[32, 16], register = [4 : (0, 1)], lane = [4 : (0, 4), 8 : (1, 0)], warp = [4 : (8, 0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @gemm(%n: index) {
  tile.launch @kernel blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %a = arith.constant dense<1.0> : tensor<32x16xf16, #a>
    %b = arith.constant dense<1.0> : tensor<16x32xf16, #b>
    // expected-error@+1 {{no instruction is named 'hmma'}}
    %d = tile.gemm %a, %b {instruction = #tile.instruction<"hmma">} : tensor<32x16xf16, #a>, tensor<16x32xf16, #b> -> tensor<32x32xf32, #c>
  }
  return
}
}

// -----

#a = #tile.fragment<[32, 16], register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (16, 0), 2 : (0, 0)]>
#b = #tile.fragment<[16, 32], register = [2 : (1, 0), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (2, 0), 8 : (0, 1)], warp = [2 : (0, 0), 2 : (0, 16)]>
#c = #tile.fragment<[32, 32], register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (16, 0), 2 : (0, 16)]>
#w = #tile.fragment<[32, 16], register = [4 : (0, 1)], lane = [4 : (0, 4), 8 : (1, 0)], warp = [4 : (8, 0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @gemm_copy_instruction(%n: index) {
  tile.launch @kernel blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %a = arith.constant dense<1.0> : tensor<32x16xf16, #a>
    %b = arith.constant dense<1.0> : tensor<16x32xf16, #b>
    // expected-error@+1 {{#tile.instruction<"cp.async"> is no instruction of a product}}
    %d = tile.gemm %a, %b {instruction = #tile.instruction<"cp.async">} : tensor<32x16xf16, #a>, tensor<16x32xf16, #b> -> tensor<32x32xf32, #c>
  }
  return
}
}

// -----

#a = #tile.fragment<[32, 16], register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (16, 0), 2 : (0, 0)]>
#b = #tile.fragment<[16, 32], register = [2 : (1, 0), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (2, 0), 8 : (0, 1)], warp = [2 : (0, 0), 2 : (0, 16)]>
#c = #tile.fragment<[32, 32], register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (16, 0), 2 : (0, 16)]>
#w = #tile.fragment<[32, 16], register = [4 : (0, 1)], lane = [4 : (0, 4), 8 : (1, 0)], warp = [4 : (8, 0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @gemm_types(%n: index) {
  tile.launch @kernel blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %a = arith.constant dense<1.0> : tensor<32x16xf16, #a>
    %b = arith.constant dense<1.0> : tensor<16x32xf16, #b>
    // expected-error@+1 {{does not multiply these types}}
    %d = tile.gemm %a, %b {instruction = #tile.instruction<"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32">, warp_grid = array<i64: 2, 2>} : tensor<32x16xf16, #a>, tensor<16x32xf16, #b> -> tensor<32x32xf32, #c>
  }
  return
}
}

// -----

#a = #tile.fragment<[32, 16], register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (16, 0), 2 : (0, 0)]>
#b = #tile.fragment<[16, 32], register = [2 : (1, 0), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (2, 0), 8 : (0, 1)], warp = [2 : (0, 0), 2 : (0, 16)]>
#c = #tile.fragment<[32, 32], register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (16, 0), 2 : (0, 16)]>
#w = #tile.fragment<[32, 16], register = [4 : (0, 1)], lane = [4 : (0, 4), 8 : (1, 0)], warp = [4 : (8, 0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @gemm_grid_missing(%n: index) {
  tile.launch @kernel blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %a = arith.constant dense<1.0> : tensor<32x16xf16, #a>
    %b = arith.constant dense<1.0> : tensor<16x32xf16, #b>
    // expected-error@+1 {{it has no 'warp_grid'; 'tile-infer-layouts' chooses it}}
    %d = tile.gemm %a, %b {instruction = #tile.instruction<"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32">} : tensor<32x16xf16, #a>, tensor<16x32xf16, #b> -> tensor<32x32xf32, #c>
  }
  return
}
}

// -----

#a = #tile.fragment<[32, 16], register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (16, 0), 2 : (0, 0)]>
#b = #tile.fragment<[16, 32], register = [2 : (1, 0), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (2, 0), 8 : (0, 1)], warp = [2 : (0, 0), 2 : (0, 16)]>
#c = #tile.fragment<[32, 32], register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (16, 0), 2 : (0, 16)]>
#w = #tile.fragment<[32, 16], register = [4 : (0, 1)], lane = [4 : (0, 4), 8 : (1, 0)], warp = [4 : (8, 0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @gemm_grid(%n: index) {
  tile.launch @kernel blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %a = arith.constant dense<1.0> : tensor<32x16xf16, #a>
    %b = arith.constant dense<1.0> : tensor<16x32xf16, #b>
    // expected-error@+1 {{must have two positive entries in 'warp_grid', the warps along M and along N, got [0, 4]}}
    %d = tile.gemm %a, %b {instruction = #tile.instruction<"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32">, warp_grid = array<i64: 0, 4>} : tensor<32x16xf16, #a>, tensor<16x32xf16, #b> -> tensor<32x32xf32, #c>
  }
  return
}
}

// -----

#a = #tile.fragment<[32, 16], register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (16, 0), 2 : (0, 0)]>
#b = #tile.fragment<[16, 32], register = [2 : (1, 0), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (2, 0), 8 : (0, 1)], warp = [2 : (0, 0), 2 : (0, 16)]>
#c = #tile.fragment<[32, 32], register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (16, 0), 2 : (0, 16)]>
#w = #tile.fragment<[32, 16], register = [4 : (0, 1)], lane = [4 : (0, 4), 8 : (1, 0)], warp = [4 : (8, 0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @gemm_operand(%n: index) {
  tile.launch @kernel blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %a = arith.constant dense<1.0> : tensor<32x16xf16, #w>
    %b = arith.constant dense<1.0> : tensor<16x32xf16, #b>
    // expected-error@+1 {{operand 0 has layout #tile.fragment<[32, 16], register = [4 : (0, 1)], lane = [4 : (0, 4), 8 : (1, 0)], warp = [4 : (8, 0)]>, but}}
    %d = tile.gemm %a, %b {instruction = #tile.instruction<"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32">, warp_grid = array<i64: 2, 2>} : tensor<32x16xf16, #w>, tensor<16x32xf16, #b> -> tensor<32x32xf32, #c>
  }
  return
}
}

// -----

#a = #tile.fragment<[32, 16], register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (16, 0), 2 : (0, 0)]>
#b = #tile.fragment<[16, 32], register = [2 : (1, 0), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (2, 0), 8 : (0, 1)], warp = [2 : (0, 0), 2 : (0, 16)]>
#c = #tile.fragment<[32, 32], register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (16, 0), 2 : (0, 16)]>
#w = #tile.fragment<[32, 16], register = [4 : (0, 1)], lane = [4 : (0, 4), 8 : (1, 0)], warp = [4 : (8, 0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @gemm_result(%n: index) {
  tile.launch @kernel blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %a = arith.constant dense<1.0> : tensor<32x16xf16, #a>
    %b = arith.constant dense<1.0> : tensor<16x32xf16, #b>
    // expected-error@+1 {{operand 0 has layout}}
    %d = tile.gemm %a, %b {instruction = #tile.instruction<"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32">, warp_grid = array<i64: 1, 4>} : tensor<32x16xf16, #a>, tensor<16x32xf16, #b> -> tensor<32x32xf32, #c>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @convert(%n: index, %g: memref<128xf32>) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %x = tile.load %g : memref<128xf32> -> tensor<128xf32, #v>
    // expected-error@+1 {{'tile.convert_layout' op breaks stage 'materialized': it goes by no shuffles: elements change warps; go through a 'tile.alloc'}}
    %b = tile.convert_layout %x : tensor<128xf32, #v> to tensor<128xf32, #w>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @reduce_warps(%n: index) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %t = arith.constant dense<1.0> : tensor<128xf32, #v>
    // expected-error@+1 {{'tile.reduce' op breaks stage 'materialized': it combines across warps; use 'tile.partial_reduce' and go through a 'tile.alloc'}}
    %b = tile.reduce <add> %t dims [0] : tensor<128xf32, #v> -> tensor<f32, #tile.fragment<[], register = [], lane = [32 : ()], warp = [4 : ()]>>
  }
  return
}
}

// -----

#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @print_fragment(%n: index) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %t = arith.constant dense<1.0> : tensor<128xf32, #v>
    // expected-error@+1 {{'tile.print' op breaks stage 'materialized': it prints a fragment, which is spread over threads; go through a 'tile.alloc'}}
    tile.print "t" %t : tensor<128xf32, #v>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @scan_warps(%n: index) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %t = arith.constant dense<1.0> : tensor<128xf32, #v>
    // expected-error@+1 {{'tile.scan' op breaks stage 'materialized': it combines across warps}}
    %b = tile.scan <add> %t dim 0 : tensor<128xf32, #v>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @block_extract(%n: index) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %t = arith.constant dense<1.0> : tensor<128xf32, #v>
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{'tensor.extract' op breaks stage 'materialized': the element is not one that every thread holds in a known register; go through a 'tile.alloc'}}
    %b = tensor.extract %t[%c0] : tensor<128xf32, #v>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @iteration_extract(%n: index) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %t = arith.constant dense<1.0> : tensor<128xf32, #v>
    tile.parallel (%i) in (128) attributes {layout = #v, vector_width = 1} {
      // expected-error@+1 {{'tensor.extract' op breaks stage 'materialized': an iteration reads another element than its own; go through a 'tile.alloc'}}
      %b = tensor.extract %t[%a] : tensor<128xf32, #v>
    }
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @block_store(%n: index, %g: memref<128xf32>) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %one = arith.constant 1.0 : f32
    // expected-error@+1 {{'memref.store' op breaks stage 'materialized': it acts once for the block; put it into a 'tile.once'}}
    memref.store %one, %g[%a] : memref<128xf32>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @slice(%n: index) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %t = arith.constant dense<1.0> : tensor<128xf32, #v>
    // expected-error@+1 {{'tensor.extract_slice' op moves no data, but no layout of its result follows from}}
    %q = tensor.extract_slice %t[3] [8] [1] : tensor<128xf32, #v> to tensor<8xf32, #tile.fragment<[8], register = [8 : (1)], lane = [32 : (0)], warp = [4 : (0)]>>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @hints(%n: index) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{'scf.for' op breaks stage 'scheduled': the hint 'tile.stages' is left; 'tile-pipeline-loops' removes it}}
    scf.for %i = %c0 to %n step %n {
    } {tile.stages = 2 : i32}
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @alloc_left(%n: index) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    // expected-error@+1 {{'tile.alloc' op breaks stage 'placed': buffers are views of the arena; 'tile-plan-shared-memory' places them}}
    %s = tile.alloc layout(#tile.shared<[128]>) : memref<128xf32, #shared>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @two_arenas(%n: index) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    // expected-note@+1 {{the first one}}
    %s = tile.arena 64 : memref<64xi8, #shared>
    // expected-error@+1 {{'tile.arena' op breaks stage 'placed': a launch has one arena at most}}
    %t = tile.arena 64 : memref<64xi8, #shared>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @arena_too_large(%n: index) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    // expected-error@+1 {{'tile.arena' op breaks stage 'placed': an arena of 170000 bytes is more than the 166912 bytes of shared memory that a block has on sm_80}}
    %s = tile.arena 170000 : memref<170000xi8, #shared>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @arena_nested(%n: index, %c: i1) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    scf.if %c {
      // expected-error@+1 {{'tile.arena' op breaks stage 'placed': the arena stands at the start of the body, not in a region}}
      %s = tile.arena 64 : memref<64xi8, #shared>
    }
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @view_of_view(%n: index) {
  tile.launch @kernel blocks(%a) in (%n) threads(128) attributes {stage = #tile.stage<placed>} {
    %s = tile.arena 64 : memref<64xi8, #shared>
    %t = tile.view %s[0] layout(#tile.shared<[64]>) : memref<64xi8, #shared> to memref<64xi8, #shared>
    // expected-error@+1 {{'tile.view' op breaks stage 'placed': it is not a view of a 'tile.arena'}}
    %u = tile.view %t[0] layout(#tile.shared<[64]>) : memref<64xi8, #shared> to memref<64xi8, #shared>
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
gpu.module @kernels {
  // expected-error@+1 {{breaks stage 'outlined': a kernel has 'known_block_size' with its number of threads}}
  gpu.func @block_size() kernel attributes {tile.stage = #tile.stage<outlined>} {
    gpu.return
  }
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
gpu.module @kernels {
  // expected-error@+1 {{breaks stage 'outlined': it is not a 'gpu.func' with 'kernel'}}
  gpu.func @not_kernel() attributes {known_block_size = array<i32: 128, 1, 1>, tile.stage = #tile.stage<outlined>} {
    gpu.return
  }
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
gpu.module @kernels {
  // expected-error@+1 {{breaks stage 'laid_out': a kernel is at 'outlined' or 'threaded'}}
  gpu.func @early() kernel attributes {known_block_size = array<i32: 128, 1, 1>, tile.stage = #tile.stage<laid_out>} {
    gpu.return
  }
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
gpu.module @kernels {
  // expected-error@+1 {{breaks stage 'outlined': parameter 0 of type 'tensor<8xf32>' is neither a scalar nor a memref in global memory}}
  gpu.func @parameter(%t: tensor<8xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, tile.stage = #tile.stage<outlined>} {
    gpu.return
  }
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
gpu.module @kernels {
  gpu.func @body() kernel attributes {known_block_size = array<i32: 128, 1, 1>, tile.stage = #tile.stage<outlined>} {
    // expected-error@+1 {{'gpu.thread_id' op cannot stand in an outlined kernel: threads are not in the source}}
    %t = gpu.thread_id x
    gpu.return
  }
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
gpu.module @kernels {
  gpu.func @malformed(%m: memref<64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, tile.stage = #tile.stage<outlined>} {
    // The kernel's operations are looked at before they are verified themselves.
    // expected-error@+1 {{'tile.gemm' op expected 2 or more operands, but found 1}}
    %d = "tile.gemm"(%m) : (memref<64xf32>) -> tensor<8x8xf32>
    gpu.return
  }
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
gpu.module @kernels {
  // expected-error@+1 {{breaks stage 'threaded': it is not an 'llvm.func'}}
  gpu.func @not_llvm() kernel attributes {known_block_size = array<i32: 128, 1, 1>, tile.stage = #tile.stage<threaded>} {
    gpu.return
  }
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
gpu.module @kernels {
  // expected-error@+1 {{breaks stage 'threaded': it has no 'nvvm.reqntid'}}
  llvm.func @reqntid() attributes {gpu.kernel, nvvm.kernel, tile.stage = #tile.stage<threaded>} {
    llvm.return
  }
}
}

// -----

#shared = #gpu.address_space<workgroup>
#v = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#w = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
gpu.module @kernels {
  llvm.func @operation() attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>, tile.stage = #tile.stage<threaded>} {
    // expected-error@+1 {{'tile.barrier' op breaks stage 'threaded': no tile operation is left in a kernel}}
    tile.barrier
    llvm.return
  }
}
}

// -----

#shared = #gpu.address_space<workgroup>
#c = #tile.fragment<[32, 32], register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (16, 0), 2 : (0, 16)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @gemm_load_missing(%n: index) {
  tile.launch @kernel blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %a = tile.alloc layout(#tile.shared<[32, 16]>) : memref<32x16xf16, #shared>
    %b = tile.alloc layout(#tile.shared<[16, 32]>) : memref<16x32xf16, #shared>
    // expected-error@+1 {{it has no 'load_b'; 'tile-infer-layouts' chooses it}}
    %d = tile.gemm %a, %b {instruction = #tile.instruction<"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32">, warp_grid = array<i64: 2, 2>, load_a = #tile.operand_load<<"ld">, width = 2>} : memref<32x16xf16, #shared>, memref<16x32xf16, #shared> -> tensor<32x32xf32, #c>
  }
  return
}
}

// -----

// expected-error@+1 {{#tile.instruction<"cp.async"> does not load from shared memory to registers}}
func.func @operand_load() attributes {test.load = #tile.operand_load<<"cp.async">, width = 2>} { return }

// -----

// expected-error@+1 {{the width of a load must be positive, got 0}}
func.func @operand_width() attributes {test.load = #tile.operand_load<<"ld">, width = 0>} { return }

// -----

#v = #tile.fragment<[32], register = [], lane = [32 : (1)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @replicated_loop(%n: index, %m: memref<32xi32>) {
  tile.launch @kernel blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<materialized>} {
    %one = arith.constant 1 : i32
    // expected-error@+1 {{several threads have the same iteration, which must run once and gives results; go through a 'tile.alloc'}}
    %p = tile.parallel (%i) in (32) -> (tensor<32xi32, #v>) attributes {layout = #v, vector_width = 1} {
      %old = memref.atomic_rmw addi %one, %m[%i] : (i32, memref<32xi32>) -> i32
      tile.yield %old : i32
    }
  }
  return
}
}
