// Atomics on floats of every type by every kind, in global and in shared memory: of
// tiles, of rows that repeat, of iterations that share an element, of the block, with
// the old value used and not; three blocks, one to eight warps.
// Numbers whose sums and products are exact in any order, so that nothing is
// tolerated.
// DEFINE: %{type} =
// DEFINE: %{threads} =
// DEFINE: %{data} =
// DEFINE: %{run} = sed -e 's/TYPE/%{type}/g; s/THREADS/%{threads}/g' %s | tile-run - --entry=all --on=emulator --check --rtol=0 --atol=0 --data='%{data}' --data='2:integers(-1,8)'
// REDEFINE: %{type} = f16
// REDEFINE: %{threads} = 32
// REDEFINE: %{data} = values(1,-1,0.5,2)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = bf16
// REDEFINE: %{threads} = 64
// REDEFINE: %{data} = values(1,-1,0.5,2)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f32
// REDEFINE: %{threads} = 96
// REDEFINE: %{data} = values(1,-1,0.5,2)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f64
// REDEFINE: %{threads} = 128
// REDEFINE: %{data} = values(1,-1,0.5,2)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f16
// REDEFINE: %{threads} = 192
// REDEFINE: %{data} = values(1,-1,0.5,2)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = bf16
// REDEFINE: %{threads} = 256
// REDEFINE: %{data} = values(1,-1,0.5,2)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
#shared = #gpu.address_space<workgroup>

func.func @all(%a: memref<40xTYPE>, %b: memref<40xTYPE>, %r: memref<40xi32>,
    %tile: memref<7x40xTYPE>, %tile_shared: memref<7x40xTYPE>, %rows: memref<7x7xTYPE>,
    %block: memref<7x7xTYPE>, %block_old: memref<7x40xTYPE>, %block_shared: memref<7x40xTYPE>,
    %iteration: memref<7x40xTYPE>, %iteration_old: memref<7x40xTYPE>, %iteration_shared: memref<7x40xTYPE>, %same: memref<7x7xTYPE>) {
  %g1 = arith.constant 1 : index
  %g3 = arith.constant 3 : index
  tile.launch @addf blocks(%x) in (%g3) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c40 = arith.constant 40 : index
    %row = arith.constant 0 : index
    %t = tile.load %a : memref<40xTYPE> -> tensor<40xTYPE>
    tile.atomic_rmw addf %t, %tile[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<7x40xTYPE>
    %s = tile.alloc : memref<40xTYPE, #shared>
    tile.copy %b to %s : memref<40xTYPE> to memref<40xTYPE, #shared>
    tile.atomic_rmw addf %t, %s[%c0] : tensor<40xTYPE>, memref<40xTYPE, #shared>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw addf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
    }
    scf.for %i = %c0 to %c7 step %c1 {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw addf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
      %new = memref.atomic_rmw addf %e, %block[%row, %i] : (TYPE, memref<7x7xTYPE>) -> TYPE
    }
    %where = tile.load %r : memref<40xi32> -> tensor<40xi32>
    tile.atomic_rmw addf %t, %rows[%row, %c0] [1, 40] rows(%where : tensor<40xi32>) dim 1 : tensor<40xTYPE>, memref<7x7xTYPE>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %m = arith.remui %i, %c7 : index
      %old = memref.atomic_rmw addf %e, %same[%row, %m] : (TYPE, memref<7x7xTYPE>) -> TYPE
      %new = memref.atomic_rmw addf %e, %iteration[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
    }
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      %read = tile.load %s : memref<40xTYPE, #shared> -> tensor<40xTYPE>
      tile.store %read, %tile_shared[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<7x40xTYPE>
      %from = arith.constant 7 : index
      scf.for %i = %from to %c40 step %c1 {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw addf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %block_shared[%row, %i] : memref<7x40xTYPE>
        %f = memref.load %a[%i] : memref<40xTYPE>
        %old2 = memref.atomic_rmw addf %f, %block_old[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
        memref.store %old2, %block_old[%row, %i] : memref<7x40xTYPE>
      }
      tile.parallel (%i) in (40) {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw addf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %iteration_shared[%row, %i] : memref<7x40xTYPE>
        %old2 = memref.atomic_rmw addf %e, %iteration_old[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
        %sum = memref.atomic_rmw addf %old2, %iteration_old[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
      }
    }
  }
  tile.launch @mulf blocks(%x) in (%g3) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c40 = arith.constant 40 : index
    %row = arith.constant 1 : index
    %t = tile.load %a : memref<40xTYPE> -> tensor<40xTYPE>
    tile.atomic_rmw mulf %t, %tile[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<7x40xTYPE>
    %s = tile.alloc : memref<40xTYPE, #shared>
    tile.copy %b to %s : memref<40xTYPE> to memref<40xTYPE, #shared>
    tile.atomic_rmw mulf %t, %s[%c0] : tensor<40xTYPE>, memref<40xTYPE, #shared>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw mulf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
    }
    scf.for %i = %c0 to %c7 step %c1 {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw mulf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
      %new = memref.atomic_rmw mulf %e, %block[%row, %i] : (TYPE, memref<7x7xTYPE>) -> TYPE
    }
    %where = tile.load %r : memref<40xi32> -> tensor<40xi32>
    tile.atomic_rmw mulf %t, %rows[%row, %c0] [1, 40] rows(%where : tensor<40xi32>) dim 1 : tensor<40xTYPE>, memref<7x7xTYPE>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %m = arith.remui %i, %c7 : index
      %old = memref.atomic_rmw mulf %e, %same[%row, %m] : (TYPE, memref<7x7xTYPE>) -> TYPE
      %new = memref.atomic_rmw mulf %e, %iteration[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
    }
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      %read = tile.load %s : memref<40xTYPE, #shared> -> tensor<40xTYPE>
      tile.store %read, %tile_shared[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<7x40xTYPE>
      %from = arith.constant 7 : index
      scf.for %i = %from to %c40 step %c1 {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw mulf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %block_shared[%row, %i] : memref<7x40xTYPE>
        %f = memref.load %a[%i] : memref<40xTYPE>
        %old2 = memref.atomic_rmw mulf %f, %block_old[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
        memref.store %old2, %block_old[%row, %i] : memref<7x40xTYPE>
      }
      tile.parallel (%i) in (40) {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw mulf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %iteration_shared[%row, %i] : memref<7x40xTYPE>
        %old2 = memref.atomic_rmw mulf %e, %iteration_old[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
        %sum = memref.atomic_rmw mulf %old2, %iteration_old[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
      }
    }
  }
  tile.launch @maximumf blocks(%x) in (%g3) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c40 = arith.constant 40 : index
    %row = arith.constant 2 : index
    %t = tile.load %a : memref<40xTYPE> -> tensor<40xTYPE>
    tile.atomic_rmw maximumf %t, %tile[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<7x40xTYPE>
    %s = tile.alloc : memref<40xTYPE, #shared>
    tile.copy %b to %s : memref<40xTYPE> to memref<40xTYPE, #shared>
    tile.atomic_rmw maximumf %t, %s[%c0] : tensor<40xTYPE>, memref<40xTYPE, #shared>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw maximumf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
    }
    scf.for %i = %c0 to %c7 step %c1 {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw maximumf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
      %new = memref.atomic_rmw maximumf %e, %block[%row, %i] : (TYPE, memref<7x7xTYPE>) -> TYPE
    }
    %where = tile.load %r : memref<40xi32> -> tensor<40xi32>
    tile.atomic_rmw maximumf %t, %rows[%row, %c0] [1, 40] rows(%where : tensor<40xi32>) dim 1 : tensor<40xTYPE>, memref<7x7xTYPE>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %m = arith.remui %i, %c7 : index
      %old = memref.atomic_rmw maximumf %e, %same[%row, %m] : (TYPE, memref<7x7xTYPE>) -> TYPE
      %new = memref.atomic_rmw maximumf %e, %iteration[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
    }
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      %read = tile.load %s : memref<40xTYPE, #shared> -> tensor<40xTYPE>
      tile.store %read, %tile_shared[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<7x40xTYPE>
      %from = arith.constant 7 : index
      scf.for %i = %from to %c40 step %c1 {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw maximumf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %block_shared[%row, %i] : memref<7x40xTYPE>
        %f = memref.load %a[%i] : memref<40xTYPE>
        %old2 = memref.atomic_rmw maximumf %f, %block_old[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
        memref.store %old2, %block_old[%row, %i] : memref<7x40xTYPE>
      }
      tile.parallel (%i) in (40) {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw maximumf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %iteration_shared[%row, %i] : memref<7x40xTYPE>
        %old2 = memref.atomic_rmw maximumf %e, %iteration_old[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
        %sum = memref.atomic_rmw maximumf %old2, %iteration_old[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
      }
    }
  }
  tile.launch @minimumf blocks(%x) in (%g3) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c40 = arith.constant 40 : index
    %row = arith.constant 3 : index
    %t = tile.load %a : memref<40xTYPE> -> tensor<40xTYPE>
    tile.atomic_rmw minimumf %t, %tile[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<7x40xTYPE>
    %s = tile.alloc : memref<40xTYPE, #shared>
    tile.copy %b to %s : memref<40xTYPE> to memref<40xTYPE, #shared>
    tile.atomic_rmw minimumf %t, %s[%c0] : tensor<40xTYPE>, memref<40xTYPE, #shared>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw minimumf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
    }
    scf.for %i = %c0 to %c7 step %c1 {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw minimumf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
      %new = memref.atomic_rmw minimumf %e, %block[%row, %i] : (TYPE, memref<7x7xTYPE>) -> TYPE
    }
    %where = tile.load %r : memref<40xi32> -> tensor<40xi32>
    tile.atomic_rmw minimumf %t, %rows[%row, %c0] [1, 40] rows(%where : tensor<40xi32>) dim 1 : tensor<40xTYPE>, memref<7x7xTYPE>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %m = arith.remui %i, %c7 : index
      %old = memref.atomic_rmw minimumf %e, %same[%row, %m] : (TYPE, memref<7x7xTYPE>) -> TYPE
      %new = memref.atomic_rmw minimumf %e, %iteration[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
    }
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      %read = tile.load %s : memref<40xTYPE, #shared> -> tensor<40xTYPE>
      tile.store %read, %tile_shared[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<7x40xTYPE>
      %from = arith.constant 7 : index
      scf.for %i = %from to %c40 step %c1 {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw minimumf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %block_shared[%row, %i] : memref<7x40xTYPE>
        %f = memref.load %a[%i] : memref<40xTYPE>
        %old2 = memref.atomic_rmw minimumf %f, %block_old[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
        memref.store %old2, %block_old[%row, %i] : memref<7x40xTYPE>
      }
      tile.parallel (%i) in (40) {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw minimumf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %iteration_shared[%row, %i] : memref<7x40xTYPE>
        %old2 = memref.atomic_rmw minimumf %e, %iteration_old[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
        %sum = memref.atomic_rmw minimumf %old2, %iteration_old[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
      }
    }
  }
  tile.launch @maxnumf blocks(%x) in (%g3) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c40 = arith.constant 40 : index
    %row = arith.constant 4 : index
    %t = tile.load %a : memref<40xTYPE> -> tensor<40xTYPE>
    tile.atomic_rmw maxnumf %t, %tile[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<7x40xTYPE>
    %s = tile.alloc : memref<40xTYPE, #shared>
    tile.copy %b to %s : memref<40xTYPE> to memref<40xTYPE, #shared>
    tile.atomic_rmw maxnumf %t, %s[%c0] : tensor<40xTYPE>, memref<40xTYPE, #shared>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw maxnumf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
    }
    scf.for %i = %c0 to %c7 step %c1 {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw maxnumf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
      %new = memref.atomic_rmw maxnumf %e, %block[%row, %i] : (TYPE, memref<7x7xTYPE>) -> TYPE
    }
    %where = tile.load %r : memref<40xi32> -> tensor<40xi32>
    tile.atomic_rmw maxnumf %t, %rows[%row, %c0] [1, 40] rows(%where : tensor<40xi32>) dim 1 : tensor<40xTYPE>, memref<7x7xTYPE>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %m = arith.remui %i, %c7 : index
      %old = memref.atomic_rmw maxnumf %e, %same[%row, %m] : (TYPE, memref<7x7xTYPE>) -> TYPE
      %new = memref.atomic_rmw maxnumf %e, %iteration[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
    }
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      %read = tile.load %s : memref<40xTYPE, #shared> -> tensor<40xTYPE>
      tile.store %read, %tile_shared[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<7x40xTYPE>
      %from = arith.constant 7 : index
      scf.for %i = %from to %c40 step %c1 {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw maxnumf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %block_shared[%row, %i] : memref<7x40xTYPE>
        %f = memref.load %a[%i] : memref<40xTYPE>
        %old2 = memref.atomic_rmw maxnumf %f, %block_old[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
        memref.store %old2, %block_old[%row, %i] : memref<7x40xTYPE>
      }
      tile.parallel (%i) in (40) {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw maxnumf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %iteration_shared[%row, %i] : memref<7x40xTYPE>
        %old2 = memref.atomic_rmw maxnumf %e, %iteration_old[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
        %sum = memref.atomic_rmw maxnumf %old2, %iteration_old[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
      }
    }
  }
  tile.launch @minnumf blocks(%x) in (%g3) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c40 = arith.constant 40 : index
    %row = arith.constant 5 : index
    %t = tile.load %a : memref<40xTYPE> -> tensor<40xTYPE>
    tile.atomic_rmw minnumf %t, %tile[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<7x40xTYPE>
    %s = tile.alloc : memref<40xTYPE, #shared>
    tile.copy %b to %s : memref<40xTYPE> to memref<40xTYPE, #shared>
    tile.atomic_rmw minnumf %t, %s[%c0] : tensor<40xTYPE>, memref<40xTYPE, #shared>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw minnumf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
    }
    scf.for %i = %c0 to %c7 step %c1 {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw minnumf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
      %new = memref.atomic_rmw minnumf %e, %block[%row, %i] : (TYPE, memref<7x7xTYPE>) -> TYPE
    }
    %where = tile.load %r : memref<40xi32> -> tensor<40xi32>
    tile.atomic_rmw minnumf %t, %rows[%row, %c0] [1, 40] rows(%where : tensor<40xi32>) dim 1 : tensor<40xTYPE>, memref<7x7xTYPE>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %m = arith.remui %i, %c7 : index
      %old = memref.atomic_rmw minnumf %e, %same[%row, %m] : (TYPE, memref<7x7xTYPE>) -> TYPE
      %new = memref.atomic_rmw minnumf %e, %iteration[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
    }
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      %read = tile.load %s : memref<40xTYPE, #shared> -> tensor<40xTYPE>
      tile.store %read, %tile_shared[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<7x40xTYPE>
      %from = arith.constant 7 : index
      scf.for %i = %from to %c40 step %c1 {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw minnumf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %block_shared[%row, %i] : memref<7x40xTYPE>
        %f = memref.load %a[%i] : memref<40xTYPE>
        %old2 = memref.atomic_rmw minnumf %f, %block_old[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
        memref.store %old2, %block_old[%row, %i] : memref<7x40xTYPE>
      }
      tile.parallel (%i) in (40) {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw minnumf %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %iteration_shared[%row, %i] : memref<7x40xTYPE>
        %old2 = memref.atomic_rmw minnumf %e, %iteration_old[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
        %sum = memref.atomic_rmw minnumf %old2, %iteration_old[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
      }
    }
  }
  tile.launch @assign blocks(%x) in (%g1) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c40 = arith.constant 40 : index
    %row = arith.constant 6 : index
    %t = tile.load %a : memref<40xTYPE> -> tensor<40xTYPE>
    tile.atomic_rmw assign %t, %tile[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<7x40xTYPE>
    %s = tile.alloc : memref<40xTYPE, #shared>
    tile.copy %b to %s : memref<40xTYPE> to memref<40xTYPE, #shared>
    tile.atomic_rmw assign %t, %s[%c0] : tensor<40xTYPE>, memref<40xTYPE, #shared>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw assign %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
    }
    scf.for %i = %c0 to %c7 step %c1 {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw assign %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
      %new = memref.atomic_rmw assign %e, %block[%row, %i] : (TYPE, memref<7x7xTYPE>) -> TYPE
    }
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      %read = tile.load %s : memref<40xTYPE, #shared> -> tensor<40xTYPE>
      tile.store %read, %tile_shared[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<7x40xTYPE>
      %from = arith.constant 7 : index
      scf.for %i = %from to %c40 step %c1 {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw assign %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %block_shared[%row, %i] : memref<7x40xTYPE>
        %f = memref.load %a[%i] : memref<40xTYPE>
        %old2 = memref.atomic_rmw assign %f, %block_old[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
        memref.store %old2, %block_old[%row, %i] : memref<7x40xTYPE>
      }
      tile.parallel (%i) in (40) {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw assign %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %iteration_shared[%row, %i] : memref<7x40xTYPE>
        %old2 = memref.atomic_rmw assign %e, %iteration_old[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
        %sum = memref.atomic_rmw assign %old2, %iteration_old[%row, %i] : (TYPE, memref<7x40xTYPE>) -> TYPE
      }
    }
  }
  return
}
