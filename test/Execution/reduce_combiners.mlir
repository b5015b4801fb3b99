// Reductions by a combiner of two values at every pair of kinds of type: the largest
// element and where it is, the first of equal ones; along either dimension and both,
// with and without initial values.
// DEFINE: %{type} =
// DEFINE: %{position} =
// DEFINE: %{above} =
// DEFINE: %{same} =
// DEFINE: %{threads} =
// DEFINE: %{cast} = arith.index_cast %k : index to %{position}
// DEFINE: %{types} = s/TYPE/%{type}/g; s/POSITION/%{position}/g; s/THREADS/%{threads}/
// DEFINE: %{run} = sed -e '%{types}; s/ABOVE/%{above}/; s/SAME/%{same}/; s/CAST/%{cast}/' %s | tile-run - --on=emulator --check --entry=all --data='0:integers(-60,60)' --data='1:integers(-20,20)' --data='2:integers(40,99)'
// REDEFINE: %{type} = f16
// REDEFINE: %{cast} = arith.index_cast %k : index to %{position}
// REDEFINE: %{position} = i32
// REDEFINE: %{above} = arith.cmpf ogt,
// REDEFINE: %{same} = arith.cmpf oeq,
// REDEFINE: %{threads} = 32
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = bf16
// REDEFINE: %{cast} = arith.index_cast %k : index to %{position}
// REDEFINE: %{position} = i64
// REDEFINE: %{above} = arith.cmpf ogt,
// REDEFINE: %{same} = arith.cmpf oeq,
// REDEFINE: %{threads} = 64
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f32
// REDEFINE: %{position} = index
// REDEFINE: %{cast} = arith.addi %c0, %k : index
// REDEFINE: %{above} = arith.cmpf ogt,
// REDEFINE: %{same} = arith.cmpf oeq,
// REDEFINE: %{threads} = 96
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f64
// REDEFINE: %{cast} = arith.index_cast %k : index to %{position}
// REDEFINE: %{position} = i16
// REDEFINE: %{above} = arith.cmpf ogt,
// REDEFINE: %{same} = arith.cmpf oeq,
// REDEFINE: %{threads} = 128
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = i8
// REDEFINE: %{cast} = arith.index_cast %k : index to %{position}
// REDEFINE: %{position} = i8
// REDEFINE: %{above} = arith.cmpi sgt,
// REDEFINE: %{same} = arith.cmpi eq,
// REDEFINE: %{threads} = 160
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = i16
// REDEFINE: %{position} = index
// REDEFINE: %{cast} = arith.addi %c0, %k : index
// REDEFINE: %{above} = arith.cmpi sgt,
// REDEFINE: %{same} = arith.cmpi eq,
// REDEFINE: %{threads} = 192
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = i32
// REDEFINE: %{cast} = arith.index_cast %k : index to %{position}
// REDEFINE: %{position} = i64
// REDEFINE: %{above} = arith.cmpi sgt,
// REDEFINE: %{same} = arith.cmpi eq,
// REDEFINE: %{threads} = 224
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = i64
// REDEFINE: %{cast} = arith.index_cast %k : index to %{position}
// REDEFINE: %{position} = i32
// REDEFINE: %{above} = arith.cmpi sgt,
// REDEFINE: %{same} = arith.cmpi eq,
// REDEFINE: %{threads} = 256
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a

func.func @all(%a: memref<11x36xTYPE>, %i0: memref<36xTYPE>, %p0: memref<36xPOSITION>,
    %v0: memref<36xTYPE>, %w0: memref<36xPOSITION>, %v1: memref<11xTYPE>, %w1: memref<11xPOSITION>,
    %v2: memref<1xTYPE>, %w2: memref<1xPOSITION>, %v3: memref<36xTYPE>, %w3: memref<36xPOSITION>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %t = tile.load %a : memref<11x36xTYPE> -> tensor<11x36xTYPE>
    %at = tile.parallel (%i, %j) in (11, 36) -> (tensor<11x36xPOSITION>) {
      %c7 = arith.constant 7 : index
      %c99 = arith.constant 99 : index
      %m = arith.muli %i, %c7 : index
      %n = arith.addi %m, %j : index
      %k = arith.remui %n, %c99 : index
      %q = CAST
      tile.yield %q : POSITION
    }
    %m0, %n0 = tile.reduce (%t, %at) dims [0] : (tensor<11x36xTYPE>, tensor<11x36xPOSITION>) -> (tensor<36xTYPE>, tensor<36xPOSITION>) {
    ^bb0(%x: TYPE, %xp: POSITION, %y: TYPE, %yp: POSITION):
      %above = ABOVE %y, %x : TYPE
      %same = SAME %y, %x : TYPE
      %before = arith.cmpi slt, %yp, %xp : POSITION
      %tie = arith.andi %same, %before : i1
      %take = arith.ori %above, %tie : i1
      %value = arith.select %take, %y, %x : TYPE
      %position = arith.select %take, %yp, %xp : POSITION
      tile.yield %value, %position : TYPE, POSITION
    }
    %m1, %n1 = tile.reduce (%t, %at) dims [1] : (tensor<11x36xTYPE>, tensor<11x36xPOSITION>) -> (tensor<11xTYPE>, tensor<11xPOSITION>) {
    ^bb0(%x: TYPE, %xp: POSITION, %y: TYPE, %yp: POSITION):
      %above = ABOVE %y, %x : TYPE
      %same = SAME %y, %x : TYPE
      %before = arith.cmpi slt, %yp, %xp : POSITION
      %tie = arith.andi %same, %before : i1
      %take = arith.ori %above, %tie : i1
      %value = arith.select %take, %y, %x : TYPE
      %position = arith.select %take, %yp, %xp : POSITION
      tile.yield %value, %position : TYPE, POSITION
    }
    %m2, %n2 = tile.reduce (%t, %at) dims [0, 1] : (tensor<11x36xTYPE>, tensor<11x36xPOSITION>) -> (tensor<TYPE>, tensor<POSITION>) {
    ^bb0(%x: TYPE, %xp: POSITION, %y: TYPE, %yp: POSITION):
      %above = ABOVE %y, %x : TYPE
      %same = SAME %y, %x : TYPE
      %before = arith.cmpi slt, %yp, %xp : POSITION
      %tie = arith.andi %same, %before : i1
      %take = arith.ori %above, %tie : i1
      %value = arith.select %take, %y, %x : TYPE
      %position = arith.select %take, %yp, %xp : POSITION
      tile.yield %value, %position : TYPE, POSITION
    }
    %x0 = tile.load %i0 : memref<36xTYPE> -> tensor<36xTYPE>
    %y0 = tile.load %p0 : memref<36xPOSITION> -> tensor<36xPOSITION>
    %m3, %n3 = tile.reduce (%t, %at) dims [0] init(%x0, %y0) : (tensor<11x36xTYPE>, tensor<11x36xPOSITION>) -> (tensor<36xTYPE>, tensor<36xPOSITION>) {
    ^bb0(%x: TYPE, %xp: POSITION, %y: TYPE, %yp: POSITION):
      %above = ABOVE %y, %x : TYPE
      %same = SAME %y, %x : TYPE
      %before = arith.cmpi slt, %yp, %xp : POSITION
      %tie = arith.andi %same, %before : i1
      %take = arith.ori %above, %tie : i1
      %value = arith.select %take, %y, %x : TYPE
      %position = arith.select %take, %yp, %xp : POSITION
      tile.yield %value, %position : TYPE, POSITION
    }
    tile.store %m0, %v0 : tensor<36xTYPE>, memref<36xTYPE>
    tile.store %n0, %w0 : tensor<36xPOSITION>, memref<36xPOSITION>
    tile.store %m1, %v1 : tensor<11xTYPE>, memref<11xTYPE>
    tile.store %n1, %w1 : tensor<11xPOSITION>, memref<11xPOSITION>
    %most = tensor.extract %m2[] : tensor<TYPE>
    %where = tensor.extract %n2[] : tensor<POSITION>
    memref.store %most, %v2[%c0] : memref<1xTYPE>
    memref.store %where, %w2[%c0] : memref<1xPOSITION>
    tile.store %m3, %v3 : tensor<36xTYPE>, memref<36xTYPE>
    tile.store %n3, %w3 : tensor<36xPOSITION>, memref<36xPOSITION>
  }
  return
}
