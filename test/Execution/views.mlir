// Views of memory at every element type, made by the host and in launches, of global
// and of shared memory: slices with strides, casts, reshapes, clipped sizes; copies by
// the host; a workspace. Nothing is tolerated.
// DEFINE: %{type} =
// DEFINE: %{threads} =
// DEFINE: %{data} =
// DEFINE: %{run} = sed -e 's/TYPE/%{type}/g; s/THREADS/%{threads}/g' %s | tile-run - --entry=all --on=emulator --check --rtol=0 --atol=0 --data='%{data}' --shape=1:24x40 --scalar=2:25
// REDEFINE: %{type} = f64
// REDEFINE: %{threads} = 32
// REDEFINE: %{data} = normal(0,9)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f32
// REDEFINE: %{threads} = 64
// REDEFINE: %{data} = normal(0,9)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f16
// REDEFINE: %{threads} = 96
// REDEFINE: %{data} = normal(0,9)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = bf16
// REDEFINE: %{threads} = 128
// REDEFINE: %{data} = normal(0,9)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f8E4M3FN
// REDEFINE: %{threads} = 192
// REDEFINE: %{data} = normal(0,9)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f8E5M2
// REDEFINE: %{threads} = 256
// REDEFINE: %{data} = normal(0,9)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = i1
// REDEFINE: %{threads} = 160
// REDEFINE: %{data} = values(0,1,1,0,1,0,0)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = i8
// REDEFINE: %{threads} = 128
// REDEFINE: %{data} = integers(-128,127)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = i16
// REDEFINE: %{threads} = 96
// REDEFINE: %{data} = integers(-32768,32767)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = i32
// REDEFINE: %{threads} = 64
// REDEFINE: %{data} = integers(-2147483648,2147483647)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = i64
// REDEFINE: %{threads} = 256
// REDEFINE: %{data} = integers(-9000000000000000000,9000000000000000000)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = index
// REDEFINE: %{threads} = 224
// REDEFINE: %{data} = integers(-100000000000,100000000000)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
#shared = #gpu.address_space<workgroup>

// Views made by the host, one launch for each; a workspace; copies by the host between
// memory of different strides.
func.func @all(%a: memref<24x40xTYPE>, %d: memref<?x?xTYPE>, %n: index, %o: memref<24x40xTYPE>, %p: memref<24x40xTYPE>,
               %q: memref<960xTYPE>, %r: memref<40x24xTYPE, strided<[1, 40]>>, %s: memref<24x40xTYPE>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %work = memref.alloc(%n) : memref<?x48xTYPE>
  %rows = memref.subview %work[0, 4] [24, 40] [1, 1] : memref<?x48xTYPE> to memref<24x40xTYPE, strided<[48, 1], offset: 4>>
  memref.copy %a, %rows : memref<24x40xTYPE> to memref<24x40xTYPE, strided<[48, 1], offset: 4>>
  %every = memref.subview %work[%c1, 4] [12, 20] [2, 2] : memref<?x48xTYPE> to memref<12x20xTYPE, strided<[96, 2], offset: ?>>
  call @move(%every, %o) : (memref<12x20xTYPE, strided<[96, 2], offset: ?>>, memref<24x40xTYPE>) -> ()
  memref.copy %rows, %p : memref<24x40xTYPE, strided<[48, 1], offset: 4>> to memref<24x40xTYPE>
  %flat = memref.collapse_shape %p [[0, 1]] : memref<24x40xTYPE> into memref<960xTYPE>
  memref.copy %flat, %q : memref<960xTYPE> to memref<960xTYPE>
  %tall = memref.cast %d : memref<?x?xTYPE> to memref<24x40xTYPE>
  %columns = memref.reinterpret_cast %tall to offset: [0], sizes: [40, 24], strides: [1, 40] : memref<24x40xTYPE> to memref<40x24xTYPE, strided<[1, 40]>>
  memref.copy %columns, %r : memref<40x24xTYPE, strided<[1, 40]>> to memref<40x24xTYPE, strided<[1, 40]>>
  %size = memref.dim %d, %c0 : memref<?x?xTYPE>
  call @inside(%d, %size, %s) : (memref<?x?xTYPE>, index, memref<24x40xTYPE>) -> ()
  memref.dealloc %work : memref<?x48xTYPE>
  return
}

func.func private @move(%a: memref<12x20xTYPE, strided<[96, 2], offset: ?>>, %o: memref<24x40xTYPE>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %t = tile.load %a : memref<12x20xTYPE, strided<[96, 2], offset: ?>> -> tensor<12x20xTYPE>
    tile.store %t, %o[%c3, %c3] : tensor<12x20xTYPE>, memref<24x40xTYPE>
    %one = memref.load %a[%c3, %c0] : memref<12x20xTYPE, strided<[96, 2], offset: ?>>
    memref.store %one, %o[%c0, %c0] : memref<24x40xTYPE>
  }
  return
}

// Views made in a launch, of global and of shared memory.
func.func private @inside(%d: memref<?x?xTYPE>, %size: index, %s: memref<24x40xTYPE>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c7 = arith.constant 7 : index
    %rest = arith.subi %size, %c7 : index
    %clip = memref.subview %d[%c7, 5] [%rest, 20] [1, 1] : memref<?x?xTYPE> to memref<?x20xTYPE, strided<[?, 1], offset: ?>>
    %clipped = tile.load %clip[%c2, %c2] : memref<?x20xTYPE, strided<[?, 1], offset: ?>> -> tensor<24x40xTYPE>
    tile.store %clipped, %s : tensor<24x40xTYPE>, memref<24x40xTYPE>
    %b = tile.alloc : memref<20x24xTYPE, #shared>
    tile.copy %clip[%c0, %c0] to %b : memref<?x20xTYPE, strided<[?, 1], offset: ?>> to memref<20x24xTYPE, #shared>
    %split = memref.expand_shape %b [[0, 1], [2]] output_shape [4, 5, 24] : memref<20x24xTYPE, #shared> into memref<4x5x24xTYPE, #shared>
    %some = tile.load %split[%c1, %c2, %c7] [2, 1, 9] : memref<4x5x24xTYPE, #shared> -> tensor<2x9xTYPE>
    tile.store %some, %s[%c0, %c0] : tensor<2x9xTYPE>, memref<24x40xTYPE>
    %line = memref.collapse_shape %b [[0, 1]] : memref<20x24xTYPE, #shared> into memref<480xTYPE, #shared>
    %part = memref.subview %line[17] [50] [3] : memref<480xTYPE, #shared> to memref<50xTYPE, strided<[3], offset: 17>, #shared>
    tile.parallel (%i) in (30) {
      %e = memref.load %part[%i] : memref<50xTYPE, strided<[3], offset: 17>, #shared>
      %c23 = arith.constant 23 : index
      memref.store %e, %s[%c23, %i] : memref<24x40xTYPE>
    }
    %c22 = arith.constant 22 : index
    %row = memref.subview %s[%c22, 0] [1, 40] [1, 1] : memref<24x40xTYPE> to memref<40xTYPE, strided<[1], offset: ?>>
    tile.copy %part[%c0] [40] to %row : memref<50xTYPE, strided<[3], offset: 17>, #shared> to memref<40xTYPE, strided<[1], offset: ?>>
  }
  return
}
