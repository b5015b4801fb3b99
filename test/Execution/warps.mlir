// Every kind of tile operation in blocks of one to eight warps, over 96 x 48: what
// some numbers of warps divide and others do not. The layouts that the program fixes
// spread the warps along either dimension or replicate; five and seven warps divide
// neither, so their last digits pass the shape.
// DEFINE: %{warps} =
// DEFINE: %{rest} =
// DEFINE: %{run} = sed -e 's/WARPS/%{warps}/g; %{rest}' %s | tile-run - --entry=all --on=emulator --check
// REDEFINE: %{warps} = 1
// REDEFINE: %{rest} = s/THREADS/32/; s/ROWSTEP/4/; s/ROWS/24/; s/COLUMNS/48/
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{warps} = 2
// REDEFINE: %{rest} = s/THREADS/64/; s/ROWSTEP/8/; s/ROWS/12/; s/COLUMNS/24/
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{warps} = 3
// REDEFINE: %{rest} = s/THREADS/96/; s/ROWSTEP/12/; s/ROWS/8/; s/COLUMNS/16/
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{warps} = 4
// REDEFINE: %{rest} = s/THREADS/128/; s/ROWSTEP/16/; s/ROWS/6/; s/COLUMNS/12/
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{warps} = 5
// REDEFINE: %{rest} = s/THREADS/160/; s/ROWSTEP/20/; s/ROWS/5/; s/COLUMNS/10/
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{warps} = 6
// REDEFINE: %{rest} = s/THREADS/192/; s/ROWSTEP/24/; s/ROWS/4/; s/COLUMNS/8/
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{warps} = 7
// REDEFINE: %{rest} = s/THREADS/224/; s/ROWSTEP/28/; s/ROWS/4/; s/COLUMNS/7/
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{warps} = 8
// REDEFINE: %{rest} = s/THREADS/256/; s/ROWSTEP/32/; s/ROWS/3/; s/COLUMNS/6/
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
#shared = #gpu.address_space<workgroup>
#rows = #tile.fragment<[96, 48], register = [6 : (0, 8), ROWS : (ROWSTEP, 0)], lane = [8 : (0, 1), 4 : (1, 0)], warp = [WARPS : (4, 0)]>
#columns = #tile.fragment<[96, 48], register = [COLUMNS : (0, WARPS), 3 : (32, 0)], lane = [32 : (1, 0)], warp = [WARPS : (0, 1)]>
#replicated = #tile.fragment<[96, 48], register = [3 : (0, 16), 96 : (1, 0)], lane = [16 : (0, 1), 2 : (0, 0)], warp = [WARPS : (0, 0)]>

func.func @all(%a: memref<96x48xf16>, %b: memref<48x40xf16>, %o: memref<96x48xf16>, %p: memref<48x96xf16>,
    %q: memref<96x40xf32>, %r: memref<96xf16>, %s: memref<48xf16>, %t: memref<96x48xf16>, %u: memref<96x48xf16>,
    %v: memref<96x48xf16>, %w: memref<48xf32>) {
  %g = arith.constant 1 : index
  tile.launch @moves blocks(%x) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %in = tile.load %a : memref<96x48xf16> -> tensor<96x48xf16, #rows>
    %in2 = arith.addf %in, %in : tensor<96x48xf16, #rows>
    %c = tile.convert_layout %in2 : tensor<96x48xf16, #rows> to tensor<96x48xf16, #columns>
    %d = tile.convert_layout %c : tensor<96x48xf16, #columns> to tensor<96x48xf16, #replicated>
    %e = tile.convert_layout %d : tensor<96x48xf16, #replicated> to tensor<96x48xf16, #rows>
    %f = arith.mulf %e, %in : tensor<96x48xf16, #rows>
    tile.store %f, %o : tensor<96x48xf16, #rows>, memref<96x48xf16>
    %free = tile.convert_layout %d : tensor<96x48xf16, #replicated> to tensor<96x48xf16>
    %tt = tile.transpose %free [1, 0] : tensor<96x48xf16> -> tensor<48x96xf16>
    tile.store %tt, %p : tensor<48x96xf16>, memref<48x96xf16>
  }
  tile.launch @computes blocks(%x) in (%g) threads(THREADS) {
    %as = tile.alloc : memref<96x48xf16, #shared>
    %bs = tile.alloc : memref<48x40xf16, #shared>
    tile.copy %a to %as : memref<96x48xf16> to memref<96x48xf16, #shared>
    tile.copy %b to %bs : memref<48x40xf16> to memref<48x40xf16, #shared>
    %d = tile.gemm %as, %bs : memref<96x48xf16, #shared>, memref<48x40xf16, #shared> -> tensor<96x40xf32>
    tile.store %d, %q : tensor<96x40xf32>, memref<96x40xf32>
    %in = tile.load %as : memref<96x48xf16, #shared> -> tensor<96x48xf16>
    %rowmax = tile.reduce <maximumf> %in dims [1] : tensor<96x48xf16> -> tensor<96xf16>
    %columnmin = tile.reduce <minimumf> %in dims [0] : tensor<96x48xf16> -> tensor<48xf16>
    tile.store %rowmax, %r : tensor<96xf16>, memref<96xf16>
    tile.store %columnmin, %s : tensor<48xf16>, memref<48xf16>
    %wide = tile.broadcast %rowmax dims [1] : tensor<96xf16> -> tensor<96x48xf16>
    %shifted = arith.subf %in, %wide : tensor<96x48xf16>
    %p2 = tile.parallel (%i, %j) in (96, 48) -> (tensor<96x48xf16>) {
      %c95 = arith.constant 95 : index
      %k = arith.subi %c95, %i : index
      %x1 = tensor.extract %shifted[%k, %j] : tensor<96x48xf16>
      %x2 = tensor.extract %columnmin[%j] : tensor<48xf16>
      %x3 = memref.load %as[%k, %j] : memref<96x48xf16, #shared>
      %x4 = arith.maximumf %x1, %x2 : f16
      %x5 = arith.addf %x4, %x3 : f16
      tile.yield %x5 : f16
    }
    tile.store %p2, %t : tensor<96x48xf16>, memref<96x48xf16>
  }
  tile.launch @orders blocks(%x) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %in = tile.load %a : memref<96x48xf16> -> tensor<96x48xf16>
    %down = tile.scan <maximumf> %in dim 0 : tensor<96x48xf16>
    tile.store %down, %u : tensor<96x48xf16>, memref<96x48xf16>
    %along = tile.scan <minimumf> %in dim 1 {reverse, exclusive} : tensor<96x48xf16>
    tile.store %along, %v : tensor<96x48xf16>, memref<96x48xf16>
    %first = tensor.extract_slice %in[17, 0] [1, 48] [1, 1] : tensor<96x48xf16> to tensor<48xf16>
    %more = arith.extf %first : tensor<48xf16> to tensor<48xf32>
    tile.atomic_rmw addf %more, %w[%c0] : tensor<48xf32>, memref<48xf32>
    %one = memref.load %w[%c0] : memref<48xf32>
    memref.store %one, %w[%c0] : memref<48xf32>
  }
  return
}
