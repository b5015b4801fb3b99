// Atomics on integers of every type by every kind, in global and in shared memory: of
// tiles, of rows that repeat, of iterations that share an element, of the block, with
// the old value used and not; three blocks, one to eight warps.
// DEFINE: %{type} =
// DEFINE: %{threads} =
// DEFINE: %{data} =
// DEFINE: %{run} = sed -e 's/TYPE/%{type}/g; s/THREADS/%{threads}/g' %s | tile-run - --entry=all --on=emulator --check --data='%{data}' --data='2:integers(-1,8)'
// REDEFINE: %{type} = i32
// REDEFINE: %{threads} = 32
// REDEFINE: %{data} = integers(-2147483648,2147483647)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = i64
// REDEFINE: %{threads} = 96
// REDEFINE: %{data} = integers(-9000000000000000000,9000000000000000000)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = i32
// REDEFINE: %{threads} = 256
// REDEFINE: %{data} = integers(-5,5)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
#shared = #gpu.address_space<workgroup>

func.func @all(%a: memref<40xTYPE>, %b: memref<40xTYPE>, %r: memref<40xi32>,
    %tile: memref<10x40xTYPE>, %tile_shared: memref<10x40xTYPE>, %rows: memref<10x7xTYPE>,
    %block: memref<10x7xTYPE>, %block_old: memref<10x40xTYPE>, %block_shared: memref<10x40xTYPE>,
    %iteration: memref<10x40xTYPE>, %iteration_old: memref<10x40xTYPE>, %iteration_shared: memref<10x40xTYPE>, %same: memref<10x7xTYPE>) {
  %g1 = arith.constant 1 : index
  %g3 = arith.constant 3 : index
  tile.launch @addi blocks(%x) in (%g3) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c40 = arith.constant 40 : index
    %row = arith.constant 0 : index
    %t = tile.load %a : memref<40xTYPE> -> tensor<40xTYPE>
    tile.atomic_rmw addi %t, %tile[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<10x40xTYPE>
    %s = tile.alloc : memref<40xTYPE, #shared>
    tile.copy %b to %s : memref<40xTYPE> to memref<40xTYPE, #shared>
    tile.atomic_rmw addi %t, %s[%c0] : tensor<40xTYPE>, memref<40xTYPE, #shared>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw addi %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
    }
    scf.for %i = %c0 to %c7 step %c1 {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw addi %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
      %new = memref.atomic_rmw addi %e, %block[%row, %i] : (TYPE, memref<10x7xTYPE>) -> TYPE
    }
    %where = tile.load %r : memref<40xi32> -> tensor<40xi32>
    tile.atomic_rmw addi %t, %rows[%row, %c0] [1, 40] rows(%where : tensor<40xi32>) dim 1 : tensor<40xTYPE>, memref<10x7xTYPE>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %m = arith.remui %i, %c7 : index
      %old = memref.atomic_rmw addi %e, %same[%row, %m] : (TYPE, memref<10x7xTYPE>) -> TYPE
      %new = memref.atomic_rmw addi %e, %iteration[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
    }
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      %read = tile.load %s : memref<40xTYPE, #shared> -> tensor<40xTYPE>
      tile.store %read, %tile_shared[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<10x40xTYPE>
      %from = arith.constant 7 : index
      scf.for %i = %from to %c40 step %c1 {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw addi %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %block_shared[%row, %i] : memref<10x40xTYPE>
        %f = memref.load %a[%i] : memref<40xTYPE>
        %old2 = memref.atomic_rmw addi %f, %block_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
        memref.store %old2, %block_old[%row, %i] : memref<10x40xTYPE>
      }
      tile.parallel (%i) in (40) {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw addi %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %iteration_shared[%row, %i] : memref<10x40xTYPE>
        %old2 = memref.atomic_rmw addi %e, %iteration_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
        %sum = memref.atomic_rmw addi %old2, %iteration_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
      }
    }
  }
  tile.launch @muli blocks(%x) in (%g3) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c40 = arith.constant 40 : index
    %row = arith.constant 1 : index
    %t = tile.load %a : memref<40xTYPE> -> tensor<40xTYPE>
    tile.atomic_rmw muli %t, %tile[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<10x40xTYPE>
    %s = tile.alloc : memref<40xTYPE, #shared>
    tile.copy %b to %s : memref<40xTYPE> to memref<40xTYPE, #shared>
    tile.atomic_rmw muli %t, %s[%c0] : tensor<40xTYPE>, memref<40xTYPE, #shared>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw muli %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
    }
    scf.for %i = %c0 to %c7 step %c1 {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw muli %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
      %new = memref.atomic_rmw muli %e, %block[%row, %i] : (TYPE, memref<10x7xTYPE>) -> TYPE
    }
    %where = tile.load %r : memref<40xi32> -> tensor<40xi32>
    tile.atomic_rmw muli %t, %rows[%row, %c0] [1, 40] rows(%where : tensor<40xi32>) dim 1 : tensor<40xTYPE>, memref<10x7xTYPE>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %m = arith.remui %i, %c7 : index
      %old = memref.atomic_rmw muli %e, %same[%row, %m] : (TYPE, memref<10x7xTYPE>) -> TYPE
      %new = memref.atomic_rmw muli %e, %iteration[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
    }
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      %read = tile.load %s : memref<40xTYPE, #shared> -> tensor<40xTYPE>
      tile.store %read, %tile_shared[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<10x40xTYPE>
      %from = arith.constant 7 : index
      scf.for %i = %from to %c40 step %c1 {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw muli %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %block_shared[%row, %i] : memref<10x40xTYPE>
        %f = memref.load %a[%i] : memref<40xTYPE>
        %old2 = memref.atomic_rmw muli %f, %block_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
        memref.store %old2, %block_old[%row, %i] : memref<10x40xTYPE>
      }
      tile.parallel (%i) in (40) {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw muli %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %iteration_shared[%row, %i] : memref<10x40xTYPE>
        %old2 = memref.atomic_rmw muli %e, %iteration_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
        %sum = memref.atomic_rmw muli %old2, %iteration_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
      }
    }
  }
  tile.launch @andi blocks(%x) in (%g3) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c40 = arith.constant 40 : index
    %row = arith.constant 2 : index
    %t = tile.load %a : memref<40xTYPE> -> tensor<40xTYPE>
    tile.atomic_rmw andi %t, %tile[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<10x40xTYPE>
    %s = tile.alloc : memref<40xTYPE, #shared>
    tile.copy %b to %s : memref<40xTYPE> to memref<40xTYPE, #shared>
    tile.atomic_rmw andi %t, %s[%c0] : tensor<40xTYPE>, memref<40xTYPE, #shared>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw andi %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
    }
    scf.for %i = %c0 to %c7 step %c1 {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw andi %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
      %new = memref.atomic_rmw andi %e, %block[%row, %i] : (TYPE, memref<10x7xTYPE>) -> TYPE
    }
    %where = tile.load %r : memref<40xi32> -> tensor<40xi32>
    tile.atomic_rmw andi %t, %rows[%row, %c0] [1, 40] rows(%where : tensor<40xi32>) dim 1 : tensor<40xTYPE>, memref<10x7xTYPE>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %m = arith.remui %i, %c7 : index
      %old = memref.atomic_rmw andi %e, %same[%row, %m] : (TYPE, memref<10x7xTYPE>) -> TYPE
      %new = memref.atomic_rmw andi %e, %iteration[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
    }
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      %read = tile.load %s : memref<40xTYPE, #shared> -> tensor<40xTYPE>
      tile.store %read, %tile_shared[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<10x40xTYPE>
      %from = arith.constant 7 : index
      scf.for %i = %from to %c40 step %c1 {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw andi %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %block_shared[%row, %i] : memref<10x40xTYPE>
        %f = memref.load %a[%i] : memref<40xTYPE>
        %old2 = memref.atomic_rmw andi %f, %block_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
        memref.store %old2, %block_old[%row, %i] : memref<10x40xTYPE>
      }
      tile.parallel (%i) in (40) {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw andi %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %iteration_shared[%row, %i] : memref<10x40xTYPE>
        %old2 = memref.atomic_rmw andi %e, %iteration_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
        %sum = memref.atomic_rmw andi %old2, %iteration_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
      }
    }
  }
  tile.launch @ori blocks(%x) in (%g3) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c40 = arith.constant 40 : index
    %row = arith.constant 3 : index
    %t = tile.load %a : memref<40xTYPE> -> tensor<40xTYPE>
    tile.atomic_rmw ori %t, %tile[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<10x40xTYPE>
    %s = tile.alloc : memref<40xTYPE, #shared>
    tile.copy %b to %s : memref<40xTYPE> to memref<40xTYPE, #shared>
    tile.atomic_rmw ori %t, %s[%c0] : tensor<40xTYPE>, memref<40xTYPE, #shared>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw ori %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
    }
    scf.for %i = %c0 to %c7 step %c1 {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw ori %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
      %new = memref.atomic_rmw ori %e, %block[%row, %i] : (TYPE, memref<10x7xTYPE>) -> TYPE
    }
    %where = tile.load %r : memref<40xi32> -> tensor<40xi32>
    tile.atomic_rmw ori %t, %rows[%row, %c0] [1, 40] rows(%where : tensor<40xi32>) dim 1 : tensor<40xTYPE>, memref<10x7xTYPE>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %m = arith.remui %i, %c7 : index
      %old = memref.atomic_rmw ori %e, %same[%row, %m] : (TYPE, memref<10x7xTYPE>) -> TYPE
      %new = memref.atomic_rmw ori %e, %iteration[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
    }
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      %read = tile.load %s : memref<40xTYPE, #shared> -> tensor<40xTYPE>
      tile.store %read, %tile_shared[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<10x40xTYPE>
      %from = arith.constant 7 : index
      scf.for %i = %from to %c40 step %c1 {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw ori %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %block_shared[%row, %i] : memref<10x40xTYPE>
        %f = memref.load %a[%i] : memref<40xTYPE>
        %old2 = memref.atomic_rmw ori %f, %block_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
        memref.store %old2, %block_old[%row, %i] : memref<10x40xTYPE>
      }
      tile.parallel (%i) in (40) {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw ori %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %iteration_shared[%row, %i] : memref<10x40xTYPE>
        %old2 = memref.atomic_rmw ori %e, %iteration_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
        %sum = memref.atomic_rmw ori %old2, %iteration_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
      }
    }
  }
  tile.launch @xori blocks(%x) in (%g3) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c40 = arith.constant 40 : index
    %row = arith.constant 4 : index
    %t = tile.load %a : memref<40xTYPE> -> tensor<40xTYPE>
    tile.atomic_rmw xori %t, %tile[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<10x40xTYPE>
    %s = tile.alloc : memref<40xTYPE, #shared>
    tile.copy %b to %s : memref<40xTYPE> to memref<40xTYPE, #shared>
    tile.atomic_rmw xori %t, %s[%c0] : tensor<40xTYPE>, memref<40xTYPE, #shared>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw xori %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
    }
    scf.for %i = %c0 to %c7 step %c1 {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw xori %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
      %new = memref.atomic_rmw xori %e, %block[%row, %i] : (TYPE, memref<10x7xTYPE>) -> TYPE
    }
    %where = tile.load %r : memref<40xi32> -> tensor<40xi32>
    tile.atomic_rmw xori %t, %rows[%row, %c0] [1, 40] rows(%where : tensor<40xi32>) dim 1 : tensor<40xTYPE>, memref<10x7xTYPE>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %m = arith.remui %i, %c7 : index
      %old = memref.atomic_rmw xori %e, %same[%row, %m] : (TYPE, memref<10x7xTYPE>) -> TYPE
      %new = memref.atomic_rmw xori %e, %iteration[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
    }
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      %read = tile.load %s : memref<40xTYPE, #shared> -> tensor<40xTYPE>
      tile.store %read, %tile_shared[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<10x40xTYPE>
      %from = arith.constant 7 : index
      scf.for %i = %from to %c40 step %c1 {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw xori %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %block_shared[%row, %i] : memref<10x40xTYPE>
        %f = memref.load %a[%i] : memref<40xTYPE>
        %old2 = memref.atomic_rmw xori %f, %block_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
        memref.store %old2, %block_old[%row, %i] : memref<10x40xTYPE>
      }
      tile.parallel (%i) in (40) {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw xori %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %iteration_shared[%row, %i] : memref<10x40xTYPE>
        %old2 = memref.atomic_rmw xori %e, %iteration_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
        %sum = memref.atomic_rmw xori %old2, %iteration_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
      }
    }
  }
  tile.launch @maxs blocks(%x) in (%g3) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c40 = arith.constant 40 : index
    %row = arith.constant 5 : index
    %t = tile.load %a : memref<40xTYPE> -> tensor<40xTYPE>
    tile.atomic_rmw maxs %t, %tile[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<10x40xTYPE>
    %s = tile.alloc : memref<40xTYPE, #shared>
    tile.copy %b to %s : memref<40xTYPE> to memref<40xTYPE, #shared>
    tile.atomic_rmw maxs %t, %s[%c0] : tensor<40xTYPE>, memref<40xTYPE, #shared>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw maxs %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
    }
    scf.for %i = %c0 to %c7 step %c1 {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw maxs %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
      %new = memref.atomic_rmw maxs %e, %block[%row, %i] : (TYPE, memref<10x7xTYPE>) -> TYPE
    }
    %where = tile.load %r : memref<40xi32> -> tensor<40xi32>
    tile.atomic_rmw maxs %t, %rows[%row, %c0] [1, 40] rows(%where : tensor<40xi32>) dim 1 : tensor<40xTYPE>, memref<10x7xTYPE>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %m = arith.remui %i, %c7 : index
      %old = memref.atomic_rmw maxs %e, %same[%row, %m] : (TYPE, memref<10x7xTYPE>) -> TYPE
      %new = memref.atomic_rmw maxs %e, %iteration[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
    }
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      %read = tile.load %s : memref<40xTYPE, #shared> -> tensor<40xTYPE>
      tile.store %read, %tile_shared[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<10x40xTYPE>
      %from = arith.constant 7 : index
      scf.for %i = %from to %c40 step %c1 {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw maxs %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %block_shared[%row, %i] : memref<10x40xTYPE>
        %f = memref.load %a[%i] : memref<40xTYPE>
        %old2 = memref.atomic_rmw maxs %f, %block_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
        memref.store %old2, %block_old[%row, %i] : memref<10x40xTYPE>
      }
      tile.parallel (%i) in (40) {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw maxs %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %iteration_shared[%row, %i] : memref<10x40xTYPE>
        %old2 = memref.atomic_rmw maxs %e, %iteration_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
        %sum = memref.atomic_rmw maxs %old2, %iteration_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
      }
    }
  }
  tile.launch @maxu blocks(%x) in (%g3) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c40 = arith.constant 40 : index
    %row = arith.constant 6 : index
    %t = tile.load %a : memref<40xTYPE> -> tensor<40xTYPE>
    tile.atomic_rmw maxu %t, %tile[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<10x40xTYPE>
    %s = tile.alloc : memref<40xTYPE, #shared>
    tile.copy %b to %s : memref<40xTYPE> to memref<40xTYPE, #shared>
    tile.atomic_rmw maxu %t, %s[%c0] : tensor<40xTYPE>, memref<40xTYPE, #shared>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw maxu %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
    }
    scf.for %i = %c0 to %c7 step %c1 {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw maxu %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
      %new = memref.atomic_rmw maxu %e, %block[%row, %i] : (TYPE, memref<10x7xTYPE>) -> TYPE
    }
    %where = tile.load %r : memref<40xi32> -> tensor<40xi32>
    tile.atomic_rmw maxu %t, %rows[%row, %c0] [1, 40] rows(%where : tensor<40xi32>) dim 1 : tensor<40xTYPE>, memref<10x7xTYPE>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %m = arith.remui %i, %c7 : index
      %old = memref.atomic_rmw maxu %e, %same[%row, %m] : (TYPE, memref<10x7xTYPE>) -> TYPE
      %new = memref.atomic_rmw maxu %e, %iteration[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
    }
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      %read = tile.load %s : memref<40xTYPE, #shared> -> tensor<40xTYPE>
      tile.store %read, %tile_shared[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<10x40xTYPE>
      %from = arith.constant 7 : index
      scf.for %i = %from to %c40 step %c1 {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw maxu %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %block_shared[%row, %i] : memref<10x40xTYPE>
        %f = memref.load %a[%i] : memref<40xTYPE>
        %old2 = memref.atomic_rmw maxu %f, %block_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
        memref.store %old2, %block_old[%row, %i] : memref<10x40xTYPE>
      }
      tile.parallel (%i) in (40) {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw maxu %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %iteration_shared[%row, %i] : memref<10x40xTYPE>
        %old2 = memref.atomic_rmw maxu %e, %iteration_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
        %sum = memref.atomic_rmw maxu %old2, %iteration_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
      }
    }
  }
  tile.launch @mins blocks(%x) in (%g3) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c40 = arith.constant 40 : index
    %row = arith.constant 7 : index
    %t = tile.load %a : memref<40xTYPE> -> tensor<40xTYPE>
    tile.atomic_rmw mins %t, %tile[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<10x40xTYPE>
    %s = tile.alloc : memref<40xTYPE, #shared>
    tile.copy %b to %s : memref<40xTYPE> to memref<40xTYPE, #shared>
    tile.atomic_rmw mins %t, %s[%c0] : tensor<40xTYPE>, memref<40xTYPE, #shared>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw mins %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
    }
    scf.for %i = %c0 to %c7 step %c1 {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw mins %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
      %new = memref.atomic_rmw mins %e, %block[%row, %i] : (TYPE, memref<10x7xTYPE>) -> TYPE
    }
    %where = tile.load %r : memref<40xi32> -> tensor<40xi32>
    tile.atomic_rmw mins %t, %rows[%row, %c0] [1, 40] rows(%where : tensor<40xi32>) dim 1 : tensor<40xTYPE>, memref<10x7xTYPE>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %m = arith.remui %i, %c7 : index
      %old = memref.atomic_rmw mins %e, %same[%row, %m] : (TYPE, memref<10x7xTYPE>) -> TYPE
      %new = memref.atomic_rmw mins %e, %iteration[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
    }
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      %read = tile.load %s : memref<40xTYPE, #shared> -> tensor<40xTYPE>
      tile.store %read, %tile_shared[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<10x40xTYPE>
      %from = arith.constant 7 : index
      scf.for %i = %from to %c40 step %c1 {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw mins %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %block_shared[%row, %i] : memref<10x40xTYPE>
        %f = memref.load %a[%i] : memref<40xTYPE>
        %old2 = memref.atomic_rmw mins %f, %block_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
        memref.store %old2, %block_old[%row, %i] : memref<10x40xTYPE>
      }
      tile.parallel (%i) in (40) {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw mins %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %iteration_shared[%row, %i] : memref<10x40xTYPE>
        %old2 = memref.atomic_rmw mins %e, %iteration_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
        %sum = memref.atomic_rmw mins %old2, %iteration_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
      }
    }
  }
  tile.launch @minu blocks(%x) in (%g3) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c40 = arith.constant 40 : index
    %row = arith.constant 8 : index
    %t = tile.load %a : memref<40xTYPE> -> tensor<40xTYPE>
    tile.atomic_rmw minu %t, %tile[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<10x40xTYPE>
    %s = tile.alloc : memref<40xTYPE, #shared>
    tile.copy %b to %s : memref<40xTYPE> to memref<40xTYPE, #shared>
    tile.atomic_rmw minu %t, %s[%c0] : tensor<40xTYPE>, memref<40xTYPE, #shared>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw minu %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
    }
    scf.for %i = %c0 to %c7 step %c1 {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %old = memref.atomic_rmw minu %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
      %new = memref.atomic_rmw minu %e, %block[%row, %i] : (TYPE, memref<10x7xTYPE>) -> TYPE
    }
    %where = tile.load %r : memref<40xi32> -> tensor<40xi32>
    tile.atomic_rmw minu %t, %rows[%row, %c0] [1, 40] rows(%where : tensor<40xi32>) dim 1 : tensor<40xTYPE>, memref<10x7xTYPE>
    tile.parallel (%i) in (40) {
      %e = memref.load %a[%i] : memref<40xTYPE>
      %m = arith.remui %i, %c7 : index
      %old = memref.atomic_rmw minu %e, %same[%row, %m] : (TYPE, memref<10x7xTYPE>) -> TYPE
      %new = memref.atomic_rmw minu %e, %iteration[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
    }
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      %read = tile.load %s : memref<40xTYPE, #shared> -> tensor<40xTYPE>
      tile.store %read, %tile_shared[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<10x40xTYPE>
      %from = arith.constant 7 : index
      scf.for %i = %from to %c40 step %c1 {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw minu %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %block_shared[%row, %i] : memref<10x40xTYPE>
        %f = memref.load %a[%i] : memref<40xTYPE>
        %old2 = memref.atomic_rmw minu %f, %block_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
        memref.store %old2, %block_old[%row, %i] : memref<10x40xTYPE>
      }
      tile.parallel (%i) in (40) {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw minu %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %iteration_shared[%row, %i] : memref<10x40xTYPE>
        %old2 = memref.atomic_rmw minu %e, %iteration_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
        %sum = memref.atomic_rmw minu %old2, %iteration_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
      }
    }
  }
  tile.launch @assign blocks(%x) in (%g1) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c40 = arith.constant 40 : index
    %row = arith.constant 9 : index
    %t = tile.load %a : memref<40xTYPE> -> tensor<40xTYPE>
    tile.atomic_rmw assign %t, %tile[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<10x40xTYPE>
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
      %new = memref.atomic_rmw assign %e, %block[%row, %i] : (TYPE, memref<10x7xTYPE>) -> TYPE
    }
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      %read = tile.load %s : memref<40xTYPE, #shared> -> tensor<40xTYPE>
      tile.store %read, %tile_shared[%row, %c0] [1, 40] : tensor<40xTYPE>, memref<10x40xTYPE>
      %from = arith.constant 7 : index
      scf.for %i = %from to %c40 step %c1 {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw assign %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %block_shared[%row, %i] : memref<10x40xTYPE>
        %f = memref.load %a[%i] : memref<40xTYPE>
        %old2 = memref.atomic_rmw assign %f, %block_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
        memref.store %old2, %block_old[%row, %i] : memref<10x40xTYPE>
      }
      tile.parallel (%i) in (40) {
        %e = memref.load %b[%i] : memref<40xTYPE>
        %old = memref.atomic_rmw assign %e, %s[%i] : (TYPE, memref<40xTYPE, #shared>) -> TYPE
        memref.store %old, %iteration_shared[%row, %i] : memref<10x40xTYPE>
        %old2 = memref.atomic_rmw assign %e, %iteration_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
        %sum = memref.atomic_rmw assign %old2, %iteration_old[%row, %i] : (TYPE, memref<10x40xTYPE>) -> TYPE
      }
    }
  }
  return
}
