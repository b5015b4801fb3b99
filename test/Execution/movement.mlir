// What moves elements without computing, at every element type that memory holds:
// loads, stores, copies, transposes, reshapes, slices, broadcasts, splats, extraction
// by the block and by iterations, selections, loops and conditions that pass fragments
// and scalars on. Nothing is tolerated.
// DEFINE: %{type} =
// DEFINE: %{threads} =
// DEFINE: %{data} =
// DEFINE: %{run} = sed -e 's/TYPE/%{type}/g; s/THREADS/%{threads}/g' %s | tile-run - --entry=all --on=emulator --check --rtol=0 --atol=0 --data='%{data}' --data='1:integers(0,23)' --scalar=2:2
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

func.func @all(%a: memref<24x40xTYPE>, %pick: memref<40xi32>, %n: index,
    %o0: memref<24x40xTYPE>, %o1: memref<40x24xTYPE>, %o2: memref<4x6x40xTYPE>, %o3: memref<24x40xTYPE>,
    %o4: memref<13x9xTYPE>, %o5: memref<24x40xTYPE>, %o6: memref<40xTYPE>, %o7: memref<3x40xTYPE>,
    %o8: memref<24x40xTYPE>, %o9: memref<24xTYPE>, %o10: memref<24x40xTYPE>, %o11: memref<24x40xTYPE>) {
  call @shapes(%a, %o0, %o1, %o2, %o3, %o4, %o5) : (memref<24x40xTYPE>, memref<24x40xTYPE>, memref<40x24xTYPE>, memref<4x6x40xTYPE>, memref<24x40xTYPE>, memref<13x9xTYPE>, memref<24x40xTYPE>) -> ()
  call @elements(%a, %pick, %o6, %o7, %o8) : (memref<24x40xTYPE>, memref<40xi32>, memref<40xTYPE>, memref<3x40xTYPE>, memref<24x40xTYPE>) -> ()
  call @control(%a, %n, %o9, %o10, %o11) : (memref<24x40xTYPE>, index, memref<24xTYPE>, memref<24x40xTYPE>, memref<24x40xTYPE>) -> ()
  return
}

// Loads, stores, copies, transposes, reshapes, slices, broadcasts.
func.func private @shapes(%a: memref<24x40xTYPE>, %o0: memref<24x40xTYPE>, %o1: memref<40x24xTYPE>, %o2: memref<4x6x40xTYPE>,
    %o3: memref<24x40xTYPE>, %o4: memref<13x9xTYPE>, %o5: memref<24x40xTYPE>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c7 = arith.constant 7 : index
    %t = tile.load %a : memref<24x40xTYPE> -> tensor<24x40xTYPE>
    %s = tile.alloc : memref<24x40xTYPE, #shared>
    tile.copy %a to %s : memref<24x40xTYPE> to memref<24x40xTYPE, #shared>
    %column = memref.subview %s[0, 3] [24, 1] [1, 1] : memref<24x40xTYPE, #shared> to memref<24xTYPE, strided<[40], offset: 3>, #shared>
    %cs = tile.load %column : memref<24xTYPE, strided<[40], offset: 3>, #shared> -> tensor<24xTYPE>
    %wide = tile.broadcast %cs dims [1] : tensor<24xTYPE> -> tensor<24x40xTYPE>
    tile.store %wide, %o0 : tensor<24x40xTYPE>, memref<24x40xTYPE>
    %tt = tile.transpose %t [1, 0] : tensor<24x40xTYPE> -> tensor<40x24xTYPE>
    tile.store %tt, %o1 : tensor<40x24xTYPE>, memref<40x24xTYPE>
    %e = tensor.expand_shape %t [[0, 1], [2]] output_shape [4, 6, 40] : tensor<24x40xTYPE> into tensor<4x6x40xTYPE>
    tile.store %e, %o2 : tensor<4x6x40xTYPE>, memref<4x6x40xTYPE>
    %flat = tensor.collapse_shape %tt [[0, 1]] : tensor<40x24xTYPE> into tensor<960xTYPE>
    %back = tensor.expand_shape %flat [[0, 1]] output_shape [24, 40] : tensor<960xTYPE> into tensor<24x40xTYPE>
    tile.store %back, %o3 : tensor<24x40xTYPE>, memref<24x40xTYPE>
    %slice = tensor.extract_slice %t[5, 17] [13, 9] [1, 1] : tensor<24x40xTYPE> to tensor<13x9xTYPE>
    tile.store %slice, %o4 : tensor<13x9xTYPE>, memref<13x9xTYPE>
    %row = tensor.extract_slice %t[23, 0] [1, 40] [1, 1] : tensor<24x40xTYPE> to tensor<40xTYPE>
    %rows = tile.broadcast %row dims [0] : tensor<40xTYPE> -> tensor<24x40xTYPE>
    %patched = tensor.insert_slice %slice into %rows[2, 30] [13, 9] [1, 1] : tensor<13x9xTYPE> into tensor<24x40xTYPE>
    tile.store %patched, %s[%c7, %c7] : tensor<24x40xTYPE>, memref<24x40xTYPE, #shared>
    tile.copy %s to %o5 : memref<24x40xTYPE, #shared> to memref<24x40xTYPE>
  }
  return
}

// Elements: extracted, loaded and stored by the block and by iterations.
func.func private @elements(%a: memref<24x40xTYPE>, %pick: memref<40xi32>, %o6: memref<40xTYPE>, %o7: memref<3x40xTYPE>, %o8: memref<24x40xTYPE>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c40 = arith.constant 40 : index
    %t = tile.load %a : memref<24x40xTYPE> -> tensor<24x40xTYPE>
    %s = tile.alloc : memref<40xTYPE, #shared>
    %gathered = tile.parallel (%i) in (40) -> (tensor<40xTYPE>) {
      %k = memref.load %pick[%i] : memref<40xi32>
      %j = arith.index_cast %k : i32 to index
      %e = tensor.extract %t[%j, %i] : tensor<24x40xTYPE>
      memref.store %e, %s[%i] : memref<40xTYPE, #shared>
      tile.yield %e : TYPE
    }
    tile.store %gathered, %o6 : tensor<40xTYPE>, memref<40xTYPE>
    scf.for %i = %c0 to %c40 step %c1 {
      %last = arith.constant 39 : index
      %from = arith.subi %last, %i : index
      %e = memref.load %s[%from] : memref<40xTYPE, #shared>
      memref.store %e, %o7[%c0, %i] : memref<3x40xTYPE>
      %f = tensor.extract %gathered[%from] : tensor<40xTYPE>
      memref.store %f, %o7[%c1, %i] : memref<3x40xTYPE>
      %h = memref.load %a[%c2, %from] : memref<24x40xTYPE>
      memref.store %h, %s[%from] : memref<40xTYPE, #shared>
    }
    tile.copy %s to %o7[%c2, %c0] [1, 40] : memref<40xTYPE, #shared> to memref<3x40xTYPE>
    %one = memref.load %a[%c1, %c2] : memref<24x40xTYPE>
    %two = tensor.extract %t[%c2, %c1] : tensor<24x40xTYPE>
    %pair = tensor.from_elements %one, %two, %one, %one : tensor<2x2xTYPE>
    %all = tensor.splat %two : tensor<24x40xTYPE>
    tile.store %all, %o8 : tensor<24x40xTYPE>, memref<24x40xTYPE>
    tile.store %pair, %o8[%c1, %c40] : tensor<2x2xTYPE>, memref<24x40xTYPE>
    tile.store %pair, %o8[%c2, %c2] : tensor<2x2xTYPE>, memref<24x40xTYPE>
  }
  return
}

// Fragments and scalars chosen by selects, conditions, loops and switches.
func.func private @control(%a: memref<24x40xTYPE>, %n: index, %o9: memref<24xTYPE>, %o10: memref<24x40xTYPE>, %o11: memref<24x40xTYPE>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%x) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %t = tile.load %a : memref<24x40xTYPE> -> tensor<24x40xTYPE>
    %mask = tile.parallel (%i, %j) in (24, 40) -> (tensor<24x40xi1>) {
      %m = arith.cmpi slt, %i, %j : index
      tile.yield %m : i1
    }
    %other = tile.load %a[%c3, %c3] : memref<24x40xTYPE> -> tensor<24x40xTYPE>
    %chosen = arith.select %mask, %t, %other : tensor<24x40xi1>, tensor<24x40xTYPE>
    %some = arith.cmpi sgt, %n, %c1 : index
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %chosen, %w = %other) -> (tensor<24x40xTYPE>, tensor<24x40xTYPE>) {
      scf.yield %w, %u : tensor<24x40xTYPE>, tensor<24x40xTYPE>
    }
    %v, %e = scf.if %some -> (tensor<24x40xTYPE>, TYPE) {
      %first = memref.load %a[%c3, %c1] : memref<24x40xTYPE>
      scf.yield %r#0, %first : tensor<24x40xTYPE>, TYPE
    } else {
      %first = tensor.extract %t[%c1, %c3] : tensor<24x40xTYPE>
      scf.yield %t, %first : tensor<24x40xTYPE>, TYPE
    }
    tile.store %v, %o10 : tensor<24x40xTYPE>, memref<24x40xTYPE>
    %p = scf.index_switch %n -> tensor<24x40xTYPE>
    case 2 {
      scf.yield %r#1 : tensor<24x40xTYPE>
    }
    default {
      scf.yield %other : tensor<24x40xTYPE>
    }
    tile.store %p, %o11 : tensor<24x40xTYPE>, memref<24x40xTYPE>
    %low:2 = scf.while (%i = %c0, %held = %e) : (index, TYPE) -> (index, TYPE) {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i, %held : index, TYPE
    } do {
    ^bb0(%i: index, %held: TYPE):
      %q = memref.load %a[%i, %i] : memref<24x40xTYPE>
      %i2 = arith.addi %i, %c1 : index
      scf.yield %i2, %q : index, TYPE
    }
    %d = tensor.splat %low#1 : tensor<24xTYPE>
    tile.store %d, %o9 : tensor<24xTYPE>, memref<24xTYPE>
  }
  return
}
