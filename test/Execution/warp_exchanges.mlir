// Changes of layout inside of warps, by shuffles: transposed between registers and
// lanes, lanes that change places, copies gathered and given up, warps that choose,
// padding, three dimensions; narrow elements share words, wide ones are cut. Each type
// on one warp and on four.
// DEFINE: %{type} =
// DEFINE: %{warps} = s/THREADS/32/; s/EIGHT/8/g; s/WARPS/1/g; s/ROWS/8/g
// DEFINE: %{text} = sed -e 's/TYPE/%{type}/g; %{warps}' %s
// DEFINE: %{run} = %{text} | tile-run - --entry=all --on=emulator --chip=sm_80 --check
// REDEFINE: %{type} = f32
// RUN: %{run}
// REDEFINE: %{type} = f16
// RUN: %{run}
// REDEFINE: %{type} = i1
// RUN: %{run}
// REDEFINE: %{warps} = s/THREADS/128/; s/WARPS/4/g; s/ROWS/32/g
// REDEFINE: %{type} = f32
// RUN: %{run}
// RUN: %{text} | tile-opt - --emit=ptx --chip=sm_80 | FileCheck %s --check-prefix=F32 --implicit-check-not=.shared --implicit-check-not=bar.sync
// RUN: %{text} | tile-opt - --emit=report --chip=sm_80 | FileCheck %s --check-prefix=REPORT
// REDEFINE: %{type} = f16
// RUN: %{run}
// RUN: %{text} | tile-opt - --emit=ptx --chip=sm_80 | FileCheck %s --check-prefix=F16 --implicit-check-not=.shared --implicit-check-not=bar.sync
// REDEFINE: %{type} = bf16
// RUN: %{run}
// REDEFINE: %{type} = i8
// RUN: %{run}
// REDEFINE: %{type} = i1
// RUN: %{run}
// REDEFINE: %{type} = i4
// RUN: %{run}
// REDEFINE: %{type} = f64
// RUN: %{run}
// REDEFINE: %{type} = i64
// RUN: %{run}

// Nothing goes through memory. Of 4 x 4 pairs that a quad transposes three travel from
// each lane, with both in a word if they are halves.
// F32-COUNT-6: shfl.sync.bfly.b32
// F32: shfl.sync.idx.b32
// F16-COUNT-3: shfl.sync.bfly.b32
// F16: shfl.sync.idx.b32
// REPORT: conversions
// REPORT-COUNT-7: through shuffles
// REPORT: through registers

// Transposed by a quad.
#quad0 = #tile.fragment<[ROWS, 32], register = [8 : (0, 1)], lane = [4 : (0, 8), 8 : (1, 0)], warp = [WARPS : (8, 0)]>
#quad1 = #tile.fragment<[ROWS, 32], register = [2 : (0, 1), 4 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [WARPS : (8, 0)]>
// Lanes change places.
#places0 = #tile.fragment<[ROWS, 32], register = [8 : (0, 4)], lane = [4 : (0, 1), 8 : (1, 0)], warp = [WARPS : (8, 0)]>
#places1 = #tile.fragment<[ROWS, 32], register = [8 : (0, 4)], lane = [8 : (1, 0), 4 : (0, 1)], warp = [WARPS : (8, 0)]>
// Each lane gets what four had.
#few = #tile.fragment<[ROWS, 4], register = [], lane = [4 : (0, 1), 8 : (1, 0)], warp = [WARPS : (8, 0)]>
#all = #tile.fragment<[ROWS, 4], register = [4 : (0, 1)], lane = [4 : (0, 0), 8 : (1, 0)], warp = [WARPS : (8, 0)]>
// A lane that is a copy knows which register its reader wants.
#copies = #tile.fragment<[ROWS, 8], register = [2 : (0, 2), 2 : (0, 4)], lane = [2 : (0, 0), 2 : (0, 1), 8 : (1, 0)], warp = [WARPS : (8, 0)]>
#once = #tile.fragment<[ROWS, 8], register = [2 : (0, 4)], lane = [4 : (0, 1), 8 : (1, 0)], warp = [WARPS : (8, 0)]>
// Each warp keeps its rows of what all have.
#every = #tile.fragment<[ROWS, 16], register = [4 : (0, 4), WARPS : (8, 0)], lane = [8 : (1, 0), 4 : (0, 1)], warp = [WARPS : (0, 0)]>
#own = #tile.fragment<[ROWS, 16], register = [4 : (0, 4)], lane = [4 : (0, 1), 8 : (1, 0)], warp = [WARPS : (8, 0)]>
// A lane of four holds nothing but padding, and no register is for it.
#padded0 = #tile.fragment<[ROWS, 12], register = [4 : (0, 1)], lane = [4 : (0, 4), 8 : (1, 0)], warp = [WARPS : (8, 0)]>
#padded1 = #tile.fragment<[ROWS, 12], register = [3 : (0, 4)], lane = [4 : (0, 1), 8 : (1, 0)], warp = [WARPS : (8, 0)]>
#three0 = #tile.fragment<[ROWS, 4, 4], register = [4 : (0, 0, 1)], lane = [4 : (0, 1, 0), 8 : (1, 0, 0)], warp = [WARPS : (8, 0, 0)]>
#three1 = #tile.fragment<[ROWS, 4, 4], register = [4 : (0, 1, 0)], lane = [8 : (1, 0, 0), 4 : (0, 0, 1)], warp = [WARPS : (8, 0, 0)]>
// Every lane has both, and keeps one by its number.
#both = #tile.fragment<[ROWS, 2], register = [2 : (0, 1)], lane = [4 : (0, 0), 8 : (1, 0)], warp = [WARPS : (8, 0)]>
#one = #tile.fragment<[ROWS, 2], register = [], lane = [2 : (0, 0), 2 : (0, 1), 8 : (1, 0)], warp = [WARPS : (8, 0)]>

func.func @all(%a0: memref<ROWSx32xTYPE>, %o0: memref<ROWSx32xTYPE>,
    %a1: memref<ROWSx32xTYPE>, %o1: memref<ROWSx32xTYPE>,
    %a2: memref<ROWSx4xTYPE>, %o2: memref<ROWSx4xTYPE>,
    %a3: memref<ROWSx8xTYPE>, %o3: memref<ROWSx8xTYPE>,
    %a4: memref<ROWSx16xTYPE>, %o4: memref<ROWSx16xTYPE>,
    %a5: memref<ROWSx12xTYPE>, %o5: memref<ROWSx12xTYPE>,
    %a6: memref<ROWSx4x4xTYPE>, %o6: memref<ROWSx4x4xTYPE>,
    %a7: memref<ROWSx2xTYPE>, %o7: memref<ROWSx2xTYPE>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(THREADS) {
    %x0 = tile.load %a0 : memref<ROWSx32xTYPE> -> tensor<ROWSx32xTYPE, #quad0>
    %y0 = tile.convert_layout %x0 : tensor<ROWSx32xTYPE, #quad0> to tensor<ROWSx32xTYPE, #quad1>
    tile.store %y0, %o0 : tensor<ROWSx32xTYPE, #quad1>, memref<ROWSx32xTYPE>
    %x1 = tile.load %a1 : memref<ROWSx32xTYPE> -> tensor<ROWSx32xTYPE, #places0>
    %y1 = tile.convert_layout %x1 : tensor<ROWSx32xTYPE, #places0> to tensor<ROWSx32xTYPE, #places1>
    tile.store %y1, %o1 : tensor<ROWSx32xTYPE, #places1>, memref<ROWSx32xTYPE>
    %x2 = tile.load %a2 : memref<ROWSx4xTYPE> -> tensor<ROWSx4xTYPE, #few>
    %y2 = tile.convert_layout %x2 : tensor<ROWSx4xTYPE, #few> to tensor<ROWSx4xTYPE, #all>
    tile.store %y2, %o2 : tensor<ROWSx4xTYPE, #all>, memref<ROWSx4xTYPE>
    %x3 = tile.load %a3 : memref<ROWSx8xTYPE> -> tensor<ROWSx8xTYPE, #copies>
    %y3 = tile.convert_layout %x3 : tensor<ROWSx8xTYPE, #copies> to tensor<ROWSx8xTYPE, #once>
    tile.store %y3, %o3 : tensor<ROWSx8xTYPE, #once>, memref<ROWSx8xTYPE>
    %x4 = tile.load %a4 : memref<ROWSx16xTYPE> -> tensor<ROWSx16xTYPE, #every>
    %y4 = tile.convert_layout %x4 : tensor<ROWSx16xTYPE, #every> to tensor<ROWSx16xTYPE, #own>
    tile.store %y4, %o4 : tensor<ROWSx16xTYPE, #own>, memref<ROWSx16xTYPE>
    %x5 = tile.load %a5 : memref<ROWSx12xTYPE> -> tensor<ROWSx12xTYPE, #padded0>
    %y5 = tile.convert_layout %x5 : tensor<ROWSx12xTYPE, #padded0> to tensor<ROWSx12xTYPE, #padded1>
    tile.store %y5, %o5 : tensor<ROWSx12xTYPE, #padded1>, memref<ROWSx12xTYPE>
    %x6 = tile.load %a6 : memref<ROWSx4x4xTYPE> -> tensor<ROWSx4x4xTYPE, #three0>
    %y6 = tile.convert_layout %x6 : tensor<ROWSx4x4xTYPE, #three0> to tensor<ROWSx4x4xTYPE, #three1>
    tile.store %y6, %o6 : tensor<ROWSx4x4xTYPE, #three1>, memref<ROWSx4x4xTYPE>
    %x7 = tile.load %a7 : memref<ROWSx2xTYPE> -> tensor<ROWSx2xTYPE, #both>
    %y7 = tile.convert_layout %x7 : tensor<ROWSx2xTYPE, #both> to tensor<ROWSx2xTYPE, #one>
    tile.store %y7, %o7 : tensor<ROWSx2xTYPE, #one>, memref<ROWSx2xTYPE>
  }
  return
}
