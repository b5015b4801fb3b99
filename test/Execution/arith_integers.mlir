// Every integer operation of arith and math at every element type that computes: on
// fragments, on the scalars of iterations and on scalars of the block. The type and
// the number of threads are substituted; 45 elements divide by neither.
// DEFINE: %{type} =
// DEFINE: %{threads} =
// DEFINE: %{data} =
// DEFINE: %{run} = sed -e 's/TYPE/%{type}/g; s/THREADS/%{threads}/g' %s | tile-run - --entry=all --on=emulator --check --data='%{data}'
// REDEFINE: %{type} = i8
// REDEFINE: %{threads} = 64
// REDEFINE: %{data} = integers(-127,127)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = i16
// REDEFINE: %{threads} = 96
// REDEFINE: %{data} = integers(-32767,32767)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = i32
// REDEFINE: %{threads} = 128
// REDEFINE: %{data} = integers(-2147483647,2147483647)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = i32
// REDEFINE: %{threads} = 32
// REDEFINE: %{data} = integers(-100,100)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = i64
// REDEFINE: %{threads} = 256
// REDEFINE: %{data} = integers(-9000000000000000000,9000000000000000000)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = i64
// REDEFINE: %{threads} = 64
// REDEFINE: %{data} = integers(-100,100)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = index
// REDEFINE: %{threads} = 192
// REDEFINE: %{data} = integers(-100000000000,100000000000)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a

func.func @all(%a: memref<45xTYPE>, %b: memref<45xTYPE>,
               %o: memref<38x45xTYPE>, %p: memref<38x45xTYPE>, %q: memref<38x45xTYPE>) {
  call @fragments(%a, %b, %o) : (memref<45xTYPE>, memref<45xTYPE>, memref<38x45xTYPE>) -> ()
  call @iterations(%a, %b, %p) : (memref<45xTYPE>, memref<45xTYPE>, memref<38x45xTYPE>) -> ()
  call @scalars(%a, %b, %q) : (memref<45xTYPE>, memref<45xTYPE>, memref<38x45xTYPE>) -> ()
  return
}

func.func private @put(%t: tensor<45xTYPE>, %o: memref<38x45xTYPE>, %row: index) {
  %zero = arith.constant 0 : index
  tile.store %t, %o[%row, %zero] [1, 45] : tensor<45xTYPE>, memref<38x45xTYPE>
  return
}

func.func @fragments(%a: memref<45xTYPE>, %b: memref<45xTYPE>, %o: memref<38x45xTYPE>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %one = arith.constant dense<1> : tensor<45xTYPE>
    %seven = arith.constant dense<7> : tensor<45xTYPE>
    %x = tile.load %a : memref<45xTYPE> -> tensor<45xTYPE>
    %y = tile.load %b : memref<45xTYPE> -> tensor<45xTYPE>
    %d = arith.ori %y, %one : tensor<45xTYPE>
    %s = arith.andi %y, %seven : tensor<45xTYPE>
    %r0 = arith.addi %x, %y : tensor<45xTYPE>
    %r1 = arith.subi %x, %y : tensor<45xTYPE>
    %r2 = arith.muli %x, %y : tensor<45xTYPE>
    %r3 = arith.divsi %x, %d : tensor<45xTYPE>
    %r4 = arith.divui %x, %d : tensor<45xTYPE>
    %r5 = arith.remsi %x, %d : tensor<45xTYPE>
    %r6 = arith.remui %x, %d : tensor<45xTYPE>
    %r7 = arith.ceildivsi %x, %d : tensor<45xTYPE>
    %r8 = arith.ceildivui %x, %d : tensor<45xTYPE>
    %r9 = arith.floordivsi %x, %d : tensor<45xTYPE>
    %r10 = arith.andi %x, %y : tensor<45xTYPE>
    %r11 = arith.ori %x, %y : tensor<45xTYPE>
    %r12 = arith.xori %x, %y : tensor<45xTYPE>
    %r13 = arith.shli %x, %s : tensor<45xTYPE>
    %r14 = arith.shrsi %x, %s : tensor<45xTYPE>
    %r15 = arith.shrui %x, %s : tensor<45xTYPE>
    %r16 = arith.maxsi %x, %y : tensor<45xTYPE>
    %r17 = arith.maxui %x, %y : tensor<45xTYPE>
    %r18 = arith.minsi %x, %y : tensor<45xTYPE>
    %r19 = arith.minui %x, %y : tensor<45xTYPE>
    %eq = arith.cmpi eq, %x, %y : tensor<45xTYPE>
    %r20 = arith.select %eq, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %ne = arith.cmpi ne, %x, %y : tensor<45xTYPE>
    %r21 = arith.select %ne, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %slt = arith.cmpi slt, %x, %y : tensor<45xTYPE>
    %r22 = arith.select %slt, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %sle = arith.cmpi sle, %x, %y : tensor<45xTYPE>
    %r23 = arith.select %sle, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %sgt = arith.cmpi sgt, %x, %y : tensor<45xTYPE>
    %r24 = arith.select %sgt, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %sge = arith.cmpi sge, %x, %y : tensor<45xTYPE>
    %r25 = arith.select %sge, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %ult = arith.cmpi ult, %x, %y : tensor<45xTYPE>
    %r26 = arith.select %ult, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %ule = arith.cmpi ule, %x, %y : tensor<45xTYPE>
    %r27 = arith.select %ule, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %ugt = arith.cmpi ugt, %x, %y : tensor<45xTYPE>
    %r28 = arith.select %ugt, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %uge = arith.cmpi uge, %x, %y : tensor<45xTYPE>
    %r29 = arith.select %uge, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %sum, %carry = arith.addui_extended %x, %y : tensor<45xTYPE>, tensor<45xi1>
    %r30 = arith.select %carry, %sum, %y : tensor<45xi1>, tensor<45xTYPE>
    %r31, %r32 = arith.mulsi_extended %x, %y : tensor<45xTYPE>
    %r33, %r34 = arith.mului_extended %x, %y : tensor<45xTYPE>
    %r35 = math.absi %x : tensor<45xTYPE>
    %r36 = math.ctlz %x : tensor<45xTYPE>
    %r37 = math.ctpop %x : tensor<45xTYPE>
    %k0 = arith.constant 0 : index
    func.call @put(%r0, %o, %k0) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k1 = arith.constant 1 : index
    func.call @put(%r1, %o, %k1) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k2 = arith.constant 2 : index
    func.call @put(%r2, %o, %k2) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k3 = arith.constant 3 : index
    func.call @put(%r3, %o, %k3) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k4 = arith.constant 4 : index
    func.call @put(%r4, %o, %k4) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k5 = arith.constant 5 : index
    func.call @put(%r5, %o, %k5) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k6 = arith.constant 6 : index
    func.call @put(%r6, %o, %k6) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k7 = arith.constant 7 : index
    func.call @put(%r7, %o, %k7) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k8 = arith.constant 8 : index
    func.call @put(%r8, %o, %k8) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k9 = arith.constant 9 : index
    func.call @put(%r9, %o, %k9) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k10 = arith.constant 10 : index
    func.call @put(%r10, %o, %k10) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k11 = arith.constant 11 : index
    func.call @put(%r11, %o, %k11) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k12 = arith.constant 12 : index
    func.call @put(%r12, %o, %k12) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k13 = arith.constant 13 : index
    func.call @put(%r13, %o, %k13) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k14 = arith.constant 14 : index
    func.call @put(%r14, %o, %k14) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k15 = arith.constant 15 : index
    func.call @put(%r15, %o, %k15) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k16 = arith.constant 16 : index
    func.call @put(%r16, %o, %k16) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k17 = arith.constant 17 : index
    func.call @put(%r17, %o, %k17) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k18 = arith.constant 18 : index
    func.call @put(%r18, %o, %k18) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k19 = arith.constant 19 : index
    func.call @put(%r19, %o, %k19) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k20 = arith.constant 20 : index
    func.call @put(%r20, %o, %k20) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k21 = arith.constant 21 : index
    func.call @put(%r21, %o, %k21) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k22 = arith.constant 22 : index
    func.call @put(%r22, %o, %k22) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k23 = arith.constant 23 : index
    func.call @put(%r23, %o, %k23) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k24 = arith.constant 24 : index
    func.call @put(%r24, %o, %k24) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k25 = arith.constant 25 : index
    func.call @put(%r25, %o, %k25) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k26 = arith.constant 26 : index
    func.call @put(%r26, %o, %k26) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k27 = arith.constant 27 : index
    func.call @put(%r27, %o, %k27) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k28 = arith.constant 28 : index
    func.call @put(%r28, %o, %k28) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k29 = arith.constant 29 : index
    func.call @put(%r29, %o, %k29) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k30 = arith.constant 30 : index
    func.call @put(%r30, %o, %k30) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k31 = arith.constant 31 : index
    func.call @put(%r31, %o, %k31) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k32 = arith.constant 32 : index
    func.call @put(%r32, %o, %k32) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k33 = arith.constant 33 : index
    func.call @put(%r33, %o, %k33) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k34 = arith.constant 34 : index
    func.call @put(%r34, %o, %k34) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k35 = arith.constant 35 : index
    func.call @put(%r35, %o, %k35) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k36 = arith.constant 36 : index
    func.call @put(%r36, %o, %k36) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
    %k37 = arith.constant 37 : index
    func.call @put(%r37, %o, %k37) : (tensor<45xTYPE>, memref<38x45xTYPE>, index) -> ()
  }
  return
}

func.func @iterations(%a: memref<45xTYPE>, %b: memref<45xTYPE>, %o: memref<38x45xTYPE>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %one = arith.constant 1 : TYPE
    %seven = arith.constant 7 : TYPE
    tile.parallel (%i) in (45) {
      %x = memref.load %a[%i] : memref<45xTYPE>
      %y = memref.load %b[%i] : memref<45xTYPE>
      %d = arith.ori %y, %one : TYPE
      %s = arith.andi %y, %seven : TYPE
      %r0 = arith.addi %x, %y : TYPE
      %r1 = arith.subi %x, %y : TYPE
      %r2 = arith.muli %x, %y : TYPE
      %r3 = arith.divsi %x, %d : TYPE
      %r4 = arith.divui %x, %d : TYPE
      %r5 = arith.remsi %x, %d : TYPE
      %r6 = arith.remui %x, %d : TYPE
      %r7 = arith.ceildivsi %x, %d : TYPE
      %r8 = arith.ceildivui %x, %d : TYPE
      %r9 = arith.floordivsi %x, %d : TYPE
      %r10 = arith.andi %x, %y : TYPE
      %r11 = arith.ori %x, %y : TYPE
      %r12 = arith.xori %x, %y : TYPE
      %r13 = arith.shli %x, %s : TYPE
      %r14 = arith.shrsi %x, %s : TYPE
      %r15 = arith.shrui %x, %s : TYPE
      %r16 = arith.maxsi %x, %y : TYPE
      %r17 = arith.maxui %x, %y : TYPE
      %r18 = arith.minsi %x, %y : TYPE
      %r19 = arith.minui %x, %y : TYPE
      %eq = arith.cmpi eq, %x, %y : TYPE
      %r20 = arith.select %eq, %x, %y : TYPE
      %ne = arith.cmpi ne, %x, %y : TYPE
      %r21 = arith.select %ne, %x, %y : TYPE
      %slt = arith.cmpi slt, %x, %y : TYPE
      %r22 = arith.select %slt, %x, %y : TYPE
      %sle = arith.cmpi sle, %x, %y : TYPE
      %r23 = arith.select %sle, %x, %y : TYPE
      %sgt = arith.cmpi sgt, %x, %y : TYPE
      %r24 = arith.select %sgt, %x, %y : TYPE
      %sge = arith.cmpi sge, %x, %y : TYPE
      %r25 = arith.select %sge, %x, %y : TYPE
      %ult = arith.cmpi ult, %x, %y : TYPE
      %r26 = arith.select %ult, %x, %y : TYPE
      %ule = arith.cmpi ule, %x, %y : TYPE
      %r27 = arith.select %ule, %x, %y : TYPE
      %ugt = arith.cmpi ugt, %x, %y : TYPE
      %r28 = arith.select %ugt, %x, %y : TYPE
      %uge = arith.cmpi uge, %x, %y : TYPE
      %r29 = arith.select %uge, %x, %y : TYPE
      %sum, %carry = arith.addui_extended %x, %y : TYPE, i1
      %r30 = arith.select %carry, %sum, %y : TYPE
      %r31, %r32 = arith.mulsi_extended %x, %y : TYPE
      %r33, %r34 = arith.mului_extended %x, %y : TYPE
      %r35 = math.absi %x : TYPE
      %r36 = math.ctlz %x : TYPE
      %r37 = math.ctpop %x : TYPE
      %k0 = arith.constant 0 : index
      memref.store %r0, %o[%k0, %i] : memref<38x45xTYPE>
      %k1 = arith.constant 1 : index
      memref.store %r1, %o[%k1, %i] : memref<38x45xTYPE>
      %k2 = arith.constant 2 : index
      memref.store %r2, %o[%k2, %i] : memref<38x45xTYPE>
      %k3 = arith.constant 3 : index
      memref.store %r3, %o[%k3, %i] : memref<38x45xTYPE>
      %k4 = arith.constant 4 : index
      memref.store %r4, %o[%k4, %i] : memref<38x45xTYPE>
      %k5 = arith.constant 5 : index
      memref.store %r5, %o[%k5, %i] : memref<38x45xTYPE>
      %k6 = arith.constant 6 : index
      memref.store %r6, %o[%k6, %i] : memref<38x45xTYPE>
      %k7 = arith.constant 7 : index
      memref.store %r7, %o[%k7, %i] : memref<38x45xTYPE>
      %k8 = arith.constant 8 : index
      memref.store %r8, %o[%k8, %i] : memref<38x45xTYPE>
      %k9 = arith.constant 9 : index
      memref.store %r9, %o[%k9, %i] : memref<38x45xTYPE>
      %k10 = arith.constant 10 : index
      memref.store %r10, %o[%k10, %i] : memref<38x45xTYPE>
      %k11 = arith.constant 11 : index
      memref.store %r11, %o[%k11, %i] : memref<38x45xTYPE>
      %k12 = arith.constant 12 : index
      memref.store %r12, %o[%k12, %i] : memref<38x45xTYPE>
      %k13 = arith.constant 13 : index
      memref.store %r13, %o[%k13, %i] : memref<38x45xTYPE>
      %k14 = arith.constant 14 : index
      memref.store %r14, %o[%k14, %i] : memref<38x45xTYPE>
      %k15 = arith.constant 15 : index
      memref.store %r15, %o[%k15, %i] : memref<38x45xTYPE>
      %k16 = arith.constant 16 : index
      memref.store %r16, %o[%k16, %i] : memref<38x45xTYPE>
      %k17 = arith.constant 17 : index
      memref.store %r17, %o[%k17, %i] : memref<38x45xTYPE>
      %k18 = arith.constant 18 : index
      memref.store %r18, %o[%k18, %i] : memref<38x45xTYPE>
      %k19 = arith.constant 19 : index
      memref.store %r19, %o[%k19, %i] : memref<38x45xTYPE>
      %k20 = arith.constant 20 : index
      memref.store %r20, %o[%k20, %i] : memref<38x45xTYPE>
      %k21 = arith.constant 21 : index
      memref.store %r21, %o[%k21, %i] : memref<38x45xTYPE>
      %k22 = arith.constant 22 : index
      memref.store %r22, %o[%k22, %i] : memref<38x45xTYPE>
      %k23 = arith.constant 23 : index
      memref.store %r23, %o[%k23, %i] : memref<38x45xTYPE>
      %k24 = arith.constant 24 : index
      memref.store %r24, %o[%k24, %i] : memref<38x45xTYPE>
      %k25 = arith.constant 25 : index
      memref.store %r25, %o[%k25, %i] : memref<38x45xTYPE>
      %k26 = arith.constant 26 : index
      memref.store %r26, %o[%k26, %i] : memref<38x45xTYPE>
      %k27 = arith.constant 27 : index
      memref.store %r27, %o[%k27, %i] : memref<38x45xTYPE>
      %k28 = arith.constant 28 : index
      memref.store %r28, %o[%k28, %i] : memref<38x45xTYPE>
      %k29 = arith.constant 29 : index
      memref.store %r29, %o[%k29, %i] : memref<38x45xTYPE>
      %k30 = arith.constant 30 : index
      memref.store %r30, %o[%k30, %i] : memref<38x45xTYPE>
      %k31 = arith.constant 31 : index
      memref.store %r31, %o[%k31, %i] : memref<38x45xTYPE>
      %k32 = arith.constant 32 : index
      memref.store %r32, %o[%k32, %i] : memref<38x45xTYPE>
      %k33 = arith.constant 33 : index
      memref.store %r33, %o[%k33, %i] : memref<38x45xTYPE>
      %k34 = arith.constant 34 : index
      memref.store %r34, %o[%k34, %i] : memref<38x45xTYPE>
      %k35 = arith.constant 35 : index
      memref.store %r35, %o[%k35, %i] : memref<38x45xTYPE>
      %k36 = arith.constant 36 : index
      memref.store %r36, %o[%k36, %i] : memref<38x45xTYPE>
      %k37 = arith.constant 37 : index
      memref.store %r37, %o[%k37, %i] : memref<38x45xTYPE>
    }
  }
  return
}

func.func @scalars(%a: memref<45xTYPE>, %b: memref<45xTYPE>, %o: memref<38x45xTYPE>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %one = arith.constant 1 : TYPE
    %seven = arith.constant 7 : TYPE
    %first = arith.constant 0 : index
    %step = arith.constant 1 : index
    %end = arith.constant 45 : index
    scf.for %i = %first to %end step %step {
      %x = memref.load %a[%i] : memref<45xTYPE>
      %y = memref.load %b[%i] : memref<45xTYPE>
      %d = arith.ori %y, %one : TYPE
      %s = arith.andi %y, %seven : TYPE
      %r0 = arith.addi %x, %y : TYPE
      %r1 = arith.subi %x, %y : TYPE
      %r2 = arith.muli %x, %y : TYPE
      %r3 = arith.divsi %x, %d : TYPE
      %r4 = arith.divui %x, %d : TYPE
      %r5 = arith.remsi %x, %d : TYPE
      %r6 = arith.remui %x, %d : TYPE
      %r7 = arith.ceildivsi %x, %d : TYPE
      %r8 = arith.ceildivui %x, %d : TYPE
      %r9 = arith.floordivsi %x, %d : TYPE
      %r10 = arith.andi %x, %y : TYPE
      %r11 = arith.ori %x, %y : TYPE
      %r12 = arith.xori %x, %y : TYPE
      %r13 = arith.shli %x, %s : TYPE
      %r14 = arith.shrsi %x, %s : TYPE
      %r15 = arith.shrui %x, %s : TYPE
      %r16 = arith.maxsi %x, %y : TYPE
      %r17 = arith.maxui %x, %y : TYPE
      %r18 = arith.minsi %x, %y : TYPE
      %r19 = arith.minui %x, %y : TYPE
      %eq = arith.cmpi eq, %x, %y : TYPE
      %r20 = arith.select %eq, %x, %y : TYPE
      %ne = arith.cmpi ne, %x, %y : TYPE
      %r21 = arith.select %ne, %x, %y : TYPE
      %slt = arith.cmpi slt, %x, %y : TYPE
      %r22 = arith.select %slt, %x, %y : TYPE
      %sle = arith.cmpi sle, %x, %y : TYPE
      %r23 = arith.select %sle, %x, %y : TYPE
      %sgt = arith.cmpi sgt, %x, %y : TYPE
      %r24 = arith.select %sgt, %x, %y : TYPE
      %sge = arith.cmpi sge, %x, %y : TYPE
      %r25 = arith.select %sge, %x, %y : TYPE
      %ult = arith.cmpi ult, %x, %y : TYPE
      %r26 = arith.select %ult, %x, %y : TYPE
      %ule = arith.cmpi ule, %x, %y : TYPE
      %r27 = arith.select %ule, %x, %y : TYPE
      %ugt = arith.cmpi ugt, %x, %y : TYPE
      %r28 = arith.select %ugt, %x, %y : TYPE
      %uge = arith.cmpi uge, %x, %y : TYPE
      %r29 = arith.select %uge, %x, %y : TYPE
      %sum, %carry = arith.addui_extended %x, %y : TYPE, i1
      %r30 = arith.select %carry, %sum, %y : TYPE
      %r31, %r32 = arith.mulsi_extended %x, %y : TYPE
      %r33, %r34 = arith.mului_extended %x, %y : TYPE
      %r35 = math.absi %x : TYPE
      %r36 = math.ctlz %x : TYPE
      %r37 = math.ctpop %x : TYPE
      %k0 = arith.constant 0 : index
      memref.store %r0, %o[%k0, %i] : memref<38x45xTYPE>
      %k1 = arith.constant 1 : index
      memref.store %r1, %o[%k1, %i] : memref<38x45xTYPE>
      %k2 = arith.constant 2 : index
      memref.store %r2, %o[%k2, %i] : memref<38x45xTYPE>
      %k3 = arith.constant 3 : index
      memref.store %r3, %o[%k3, %i] : memref<38x45xTYPE>
      %k4 = arith.constant 4 : index
      memref.store %r4, %o[%k4, %i] : memref<38x45xTYPE>
      %k5 = arith.constant 5 : index
      memref.store %r5, %o[%k5, %i] : memref<38x45xTYPE>
      %k6 = arith.constant 6 : index
      memref.store %r6, %o[%k6, %i] : memref<38x45xTYPE>
      %k7 = arith.constant 7 : index
      memref.store %r7, %o[%k7, %i] : memref<38x45xTYPE>
      %k8 = arith.constant 8 : index
      memref.store %r8, %o[%k8, %i] : memref<38x45xTYPE>
      %k9 = arith.constant 9 : index
      memref.store %r9, %o[%k9, %i] : memref<38x45xTYPE>
      %k10 = arith.constant 10 : index
      memref.store %r10, %o[%k10, %i] : memref<38x45xTYPE>
      %k11 = arith.constant 11 : index
      memref.store %r11, %o[%k11, %i] : memref<38x45xTYPE>
      %k12 = arith.constant 12 : index
      memref.store %r12, %o[%k12, %i] : memref<38x45xTYPE>
      %k13 = arith.constant 13 : index
      memref.store %r13, %o[%k13, %i] : memref<38x45xTYPE>
      %k14 = arith.constant 14 : index
      memref.store %r14, %o[%k14, %i] : memref<38x45xTYPE>
      %k15 = arith.constant 15 : index
      memref.store %r15, %o[%k15, %i] : memref<38x45xTYPE>
      %k16 = arith.constant 16 : index
      memref.store %r16, %o[%k16, %i] : memref<38x45xTYPE>
      %k17 = arith.constant 17 : index
      memref.store %r17, %o[%k17, %i] : memref<38x45xTYPE>
      %k18 = arith.constant 18 : index
      memref.store %r18, %o[%k18, %i] : memref<38x45xTYPE>
      %k19 = arith.constant 19 : index
      memref.store %r19, %o[%k19, %i] : memref<38x45xTYPE>
      %k20 = arith.constant 20 : index
      memref.store %r20, %o[%k20, %i] : memref<38x45xTYPE>
      %k21 = arith.constant 21 : index
      memref.store %r21, %o[%k21, %i] : memref<38x45xTYPE>
      %k22 = arith.constant 22 : index
      memref.store %r22, %o[%k22, %i] : memref<38x45xTYPE>
      %k23 = arith.constant 23 : index
      memref.store %r23, %o[%k23, %i] : memref<38x45xTYPE>
      %k24 = arith.constant 24 : index
      memref.store %r24, %o[%k24, %i] : memref<38x45xTYPE>
      %k25 = arith.constant 25 : index
      memref.store %r25, %o[%k25, %i] : memref<38x45xTYPE>
      %k26 = arith.constant 26 : index
      memref.store %r26, %o[%k26, %i] : memref<38x45xTYPE>
      %k27 = arith.constant 27 : index
      memref.store %r27, %o[%k27, %i] : memref<38x45xTYPE>
      %k28 = arith.constant 28 : index
      memref.store %r28, %o[%k28, %i] : memref<38x45xTYPE>
      %k29 = arith.constant 29 : index
      memref.store %r29, %o[%k29, %i] : memref<38x45xTYPE>
      %k30 = arith.constant 30 : index
      memref.store %r30, %o[%k30, %i] : memref<38x45xTYPE>
      %k31 = arith.constant 31 : index
      memref.store %r31, %o[%k31, %i] : memref<38x45xTYPE>
      %k32 = arith.constant 32 : index
      memref.store %r32, %o[%k32, %i] : memref<38x45xTYPE>
      %k33 = arith.constant 33 : index
      memref.store %r33, %o[%k33, %i] : memref<38x45xTYPE>
      %k34 = arith.constant 34 : index
      memref.store %r34, %o[%k34, %i] : memref<38x45xTYPE>
      %k35 = arith.constant 35 : index
      memref.store %r35, %o[%k35, %i] : memref<38x45xTYPE>
      %k36 = arith.constant 36 : index
      memref.store %r36, %o[%k36, %i] : memref<38x45xTYPE>
      %k37 = arith.constant 37 : index
      memref.store %r37, %o[%k37, %i] : memref<38x45xTYPE>
    }
  }
  return
}
