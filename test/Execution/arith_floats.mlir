// Every floating-point operation of arith at every element type that computes: on
// fragments, on the scalars of iterations and on scalars of the block; numbers of
// every kind, infinities, NaN, both zeros and subnormals. The type and the number of
// threads are substituted; 45 elements divide by neither.
// DEFINE: %{type} =
// DEFINE: %{threads} =
// DEFINE: %{data} =
// DEFINE: %{run} = sed -e 's/TYPE/%{type}/g; s/THREADS/%{threads}/g' %s | tile-run - --entry=all --on=emulator --check --rtol=0 --atol=0 --data='%{data}'
// REDEFINE: %{type} = f16
// REDEFINE: %{threads} = 32
// REDEFINE: %{data} = normal(0,3)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = bf16
// REDEFINE: %{threads} = 64
// REDEFINE: %{data} = normal(0,3)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f32
// REDEFINE: %{threads} = 96
// REDEFINE: %{data} = normal(0,3)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f64
// REDEFINE: %{threads} = 128
// REDEFINE: %{data} = normal(0,3)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f16
// REDEFINE: %{threads} = 128
// REDEFINE: %{data} = values(inf,nan,-inf,0,-0,1e-7,1,-2.5,6e-8,3e4,-7)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = bf16
// REDEFINE: %{threads} = 192
// REDEFINE: %{data} = values(inf,nan,-inf,0,-0,1e-7,1,-2.5,6e-8,3e4,-7)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f32
// REDEFINE: %{threads} = 256
// REDEFINE: %{data} = values(inf,nan,-inf,0,-0,1e-7,1,-2.5,6e-8,3e4,-7)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f64
// REDEFINE: %{threads} = 32
// REDEFINE: %{data} = values(inf,nan,-inf,0,-0,1e-7,1,-2.5,6e-8,3e4,-7)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a

func.func @all(%a: memref<45xTYPE>, %b: memref<45xTYPE>, %c: memref<45xTYPE>,
               %o: memref<26x45xTYPE>, %p: memref<26x45xTYPE>, %q: memref<26x45xTYPE>) {
  call @fragments(%a, %b, %c, %o) : (memref<45xTYPE>, memref<45xTYPE>, memref<45xTYPE>, memref<26x45xTYPE>) -> ()
  call @iterations(%a, %b, %c, %p) : (memref<45xTYPE>, memref<45xTYPE>, memref<45xTYPE>, memref<26x45xTYPE>) -> ()
  call @scalars(%a, %b, %c, %q) : (memref<45xTYPE>, memref<45xTYPE>, memref<45xTYPE>, memref<26x45xTYPE>) -> ()
  return
}

func.func private @put(%t: tensor<45xTYPE>, %o: memref<26x45xTYPE>, %row: index) {
  %zero = arith.constant 0 : index
  tile.store %t, %o[%row, %zero] [1, 45] : tensor<45xTYPE>, memref<26x45xTYPE>
  return
}

func.func @fragments(%a: memref<45xTYPE>, %b: memref<45xTYPE>, %c: memref<45xTYPE>, %o: memref<26x45xTYPE>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %x = tile.load %a : memref<45xTYPE> -> tensor<45xTYPE>
    %y = tile.load %b : memref<45xTYPE> -> tensor<45xTYPE>
    %z = tile.load %c : memref<45xTYPE> -> tensor<45xTYPE>
    %r0 = arith.addf %x, %y : tensor<45xTYPE>
    %r1 = arith.subf %x, %y : tensor<45xTYPE>
    %r2 = arith.mulf %x, %y : tensor<45xTYPE>
    %r3 = arith.divf %x, %y : tensor<45xTYPE>
    %r4 = arith.remf %x, %y : tensor<45xTYPE>
    %r5 = arith.maximumf %x, %y : tensor<45xTYPE>
    %r6 = arith.minimumf %x, %y : tensor<45xTYPE>
    %r7 = arith.maxnumf %x, %y : tensor<45xTYPE>
    %r8 = arith.minnumf %x, %y : tensor<45xTYPE>
    %r9 = arith.negf %x : tensor<45xTYPE>
    %false = arith.cmpf false, %x, %z : tensor<45xTYPE>
    %r10 = arith.select %false, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %oeq = arith.cmpf oeq, %x, %z : tensor<45xTYPE>
    %r11 = arith.select %oeq, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %ogt = arith.cmpf ogt, %x, %z : tensor<45xTYPE>
    %r12 = arith.select %ogt, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %oge = arith.cmpf oge, %x, %z : tensor<45xTYPE>
    %r13 = arith.select %oge, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %olt = arith.cmpf olt, %x, %z : tensor<45xTYPE>
    %r14 = arith.select %olt, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %ole = arith.cmpf ole, %x, %z : tensor<45xTYPE>
    %r15 = arith.select %ole, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %one = arith.cmpf one, %x, %z : tensor<45xTYPE>
    %r16 = arith.select %one, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %ord = arith.cmpf ord, %x, %z : tensor<45xTYPE>
    %r17 = arith.select %ord, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %ueq = arith.cmpf ueq, %x, %z : tensor<45xTYPE>
    %r18 = arith.select %ueq, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %ugt = arith.cmpf ugt, %x, %z : tensor<45xTYPE>
    %r19 = arith.select %ugt, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %uge = arith.cmpf uge, %x, %z : tensor<45xTYPE>
    %r20 = arith.select %uge, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %ult = arith.cmpf ult, %x, %z : tensor<45xTYPE>
    %r21 = arith.select %ult, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %ule = arith.cmpf ule, %x, %z : tensor<45xTYPE>
    %r22 = arith.select %ule, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %une = arith.cmpf une, %x, %z : tensor<45xTYPE>
    %r23 = arith.select %une, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %uno = arith.cmpf uno, %x, %z : tensor<45xTYPE>
    %r24 = arith.select %uno, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %true = arith.cmpf true, %x, %z : tensor<45xTYPE>
    %r25 = arith.select %true, %x, %y : tensor<45xi1>, tensor<45xTYPE>
    %k0 = arith.constant 0 : index
    func.call @put(%r0, %o, %k0) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k1 = arith.constant 1 : index
    func.call @put(%r1, %o, %k1) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k2 = arith.constant 2 : index
    func.call @put(%r2, %o, %k2) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k3 = arith.constant 3 : index
    func.call @put(%r3, %o, %k3) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k4 = arith.constant 4 : index
    func.call @put(%r4, %o, %k4) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k5 = arith.constant 5 : index
    func.call @put(%r5, %o, %k5) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k6 = arith.constant 6 : index
    func.call @put(%r6, %o, %k6) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k7 = arith.constant 7 : index
    func.call @put(%r7, %o, %k7) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k8 = arith.constant 8 : index
    func.call @put(%r8, %o, %k8) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k9 = arith.constant 9 : index
    func.call @put(%r9, %o, %k9) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k10 = arith.constant 10 : index
    func.call @put(%r10, %o, %k10) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k11 = arith.constant 11 : index
    func.call @put(%r11, %o, %k11) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k12 = arith.constant 12 : index
    func.call @put(%r12, %o, %k12) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k13 = arith.constant 13 : index
    func.call @put(%r13, %o, %k13) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k14 = arith.constant 14 : index
    func.call @put(%r14, %o, %k14) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k15 = arith.constant 15 : index
    func.call @put(%r15, %o, %k15) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k16 = arith.constant 16 : index
    func.call @put(%r16, %o, %k16) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k17 = arith.constant 17 : index
    func.call @put(%r17, %o, %k17) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k18 = arith.constant 18 : index
    func.call @put(%r18, %o, %k18) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k19 = arith.constant 19 : index
    func.call @put(%r19, %o, %k19) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k20 = arith.constant 20 : index
    func.call @put(%r20, %o, %k20) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k21 = arith.constant 21 : index
    func.call @put(%r21, %o, %k21) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k22 = arith.constant 22 : index
    func.call @put(%r22, %o, %k22) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k23 = arith.constant 23 : index
    func.call @put(%r23, %o, %k23) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k24 = arith.constant 24 : index
    func.call @put(%r24, %o, %k24) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
    %k25 = arith.constant 25 : index
    func.call @put(%r25, %o, %k25) : (tensor<45xTYPE>, memref<26x45xTYPE>, index) -> ()
  }
  return
}

func.func @iterations(%a: memref<45xTYPE>, %b: memref<45xTYPE>, %c: memref<45xTYPE>, %o: memref<26x45xTYPE>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    tile.parallel (%i) in (45) {
      %x = memref.load %a[%i] : memref<45xTYPE>
      %y = memref.load %b[%i] : memref<45xTYPE>
      %z = memref.load %c[%i] : memref<45xTYPE>
      %r0 = arith.addf %x, %y : TYPE
      %r1 = arith.subf %x, %y : TYPE
      %r2 = arith.mulf %x, %y : TYPE
      %r3 = arith.divf %x, %y : TYPE
      %r4 = arith.remf %x, %y : TYPE
      %r5 = arith.maximumf %x, %y : TYPE
      %r6 = arith.minimumf %x, %y : TYPE
      %r7 = arith.maxnumf %x, %y : TYPE
      %r8 = arith.minnumf %x, %y : TYPE
      %r9 = arith.negf %x : TYPE
      %false = arith.cmpf false, %x, %z : TYPE
      %r10 = arith.select %false, %x, %y : TYPE
      %oeq = arith.cmpf oeq, %x, %z : TYPE
      %r11 = arith.select %oeq, %x, %y : TYPE
      %ogt = arith.cmpf ogt, %x, %z : TYPE
      %r12 = arith.select %ogt, %x, %y : TYPE
      %oge = arith.cmpf oge, %x, %z : TYPE
      %r13 = arith.select %oge, %x, %y : TYPE
      %olt = arith.cmpf olt, %x, %z : TYPE
      %r14 = arith.select %olt, %x, %y : TYPE
      %ole = arith.cmpf ole, %x, %z : TYPE
      %r15 = arith.select %ole, %x, %y : TYPE
      %one = arith.cmpf one, %x, %z : TYPE
      %r16 = arith.select %one, %x, %y : TYPE
      %ord = arith.cmpf ord, %x, %z : TYPE
      %r17 = arith.select %ord, %x, %y : TYPE
      %ueq = arith.cmpf ueq, %x, %z : TYPE
      %r18 = arith.select %ueq, %x, %y : TYPE
      %ugt = arith.cmpf ugt, %x, %z : TYPE
      %r19 = arith.select %ugt, %x, %y : TYPE
      %uge = arith.cmpf uge, %x, %z : TYPE
      %r20 = arith.select %uge, %x, %y : TYPE
      %ult = arith.cmpf ult, %x, %z : TYPE
      %r21 = arith.select %ult, %x, %y : TYPE
      %ule = arith.cmpf ule, %x, %z : TYPE
      %r22 = arith.select %ule, %x, %y : TYPE
      %une = arith.cmpf une, %x, %z : TYPE
      %r23 = arith.select %une, %x, %y : TYPE
      %uno = arith.cmpf uno, %x, %z : TYPE
      %r24 = arith.select %uno, %x, %y : TYPE
      %true = arith.cmpf true, %x, %z : TYPE
      %r25 = arith.select %true, %x, %y : TYPE
      %k0 = arith.constant 0 : index
      memref.store %r0, %o[%k0, %i] : memref<26x45xTYPE>
      %k1 = arith.constant 1 : index
      memref.store %r1, %o[%k1, %i] : memref<26x45xTYPE>
      %k2 = arith.constant 2 : index
      memref.store %r2, %o[%k2, %i] : memref<26x45xTYPE>
      %k3 = arith.constant 3 : index
      memref.store %r3, %o[%k3, %i] : memref<26x45xTYPE>
      %k4 = arith.constant 4 : index
      memref.store %r4, %o[%k4, %i] : memref<26x45xTYPE>
      %k5 = arith.constant 5 : index
      memref.store %r5, %o[%k5, %i] : memref<26x45xTYPE>
      %k6 = arith.constant 6 : index
      memref.store %r6, %o[%k6, %i] : memref<26x45xTYPE>
      %k7 = arith.constant 7 : index
      memref.store %r7, %o[%k7, %i] : memref<26x45xTYPE>
      %k8 = arith.constant 8 : index
      memref.store %r8, %o[%k8, %i] : memref<26x45xTYPE>
      %k9 = arith.constant 9 : index
      memref.store %r9, %o[%k9, %i] : memref<26x45xTYPE>
      %k10 = arith.constant 10 : index
      memref.store %r10, %o[%k10, %i] : memref<26x45xTYPE>
      %k11 = arith.constant 11 : index
      memref.store %r11, %o[%k11, %i] : memref<26x45xTYPE>
      %k12 = arith.constant 12 : index
      memref.store %r12, %o[%k12, %i] : memref<26x45xTYPE>
      %k13 = arith.constant 13 : index
      memref.store %r13, %o[%k13, %i] : memref<26x45xTYPE>
      %k14 = arith.constant 14 : index
      memref.store %r14, %o[%k14, %i] : memref<26x45xTYPE>
      %k15 = arith.constant 15 : index
      memref.store %r15, %o[%k15, %i] : memref<26x45xTYPE>
      %k16 = arith.constant 16 : index
      memref.store %r16, %o[%k16, %i] : memref<26x45xTYPE>
      %k17 = arith.constant 17 : index
      memref.store %r17, %o[%k17, %i] : memref<26x45xTYPE>
      %k18 = arith.constant 18 : index
      memref.store %r18, %o[%k18, %i] : memref<26x45xTYPE>
      %k19 = arith.constant 19 : index
      memref.store %r19, %o[%k19, %i] : memref<26x45xTYPE>
      %k20 = arith.constant 20 : index
      memref.store %r20, %o[%k20, %i] : memref<26x45xTYPE>
      %k21 = arith.constant 21 : index
      memref.store %r21, %o[%k21, %i] : memref<26x45xTYPE>
      %k22 = arith.constant 22 : index
      memref.store %r22, %o[%k22, %i] : memref<26x45xTYPE>
      %k23 = arith.constant 23 : index
      memref.store %r23, %o[%k23, %i] : memref<26x45xTYPE>
      %k24 = arith.constant 24 : index
      memref.store %r24, %o[%k24, %i] : memref<26x45xTYPE>
      %k25 = arith.constant 25 : index
      memref.store %r25, %o[%k25, %i] : memref<26x45xTYPE>
    }
  }
  return
}

func.func @scalars(%a: memref<45xTYPE>, %b: memref<45xTYPE>, %c: memref<45xTYPE>, %o: memref<26x45xTYPE>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %first = arith.constant 0 : index
    %step = arith.constant 1 : index
    %end = arith.constant 45 : index
    scf.for %i = %first to %end step %step {
      %x = memref.load %a[%i] : memref<45xTYPE>
      %y = memref.load %b[%i] : memref<45xTYPE>
      %z = memref.load %c[%i] : memref<45xTYPE>
      %r0 = arith.addf %x, %y : TYPE
      %r1 = arith.subf %x, %y : TYPE
      %r2 = arith.mulf %x, %y : TYPE
      %r3 = arith.divf %x, %y : TYPE
      %r4 = arith.remf %x, %y : TYPE
      %r5 = arith.maximumf %x, %y : TYPE
      %r6 = arith.minimumf %x, %y : TYPE
      %r7 = arith.maxnumf %x, %y : TYPE
      %r8 = arith.minnumf %x, %y : TYPE
      %r9 = arith.negf %x : TYPE
      %false = arith.cmpf false, %x, %z : TYPE
      %r10 = arith.select %false, %x, %y : TYPE
      %oeq = arith.cmpf oeq, %x, %z : TYPE
      %r11 = arith.select %oeq, %x, %y : TYPE
      %ogt = arith.cmpf ogt, %x, %z : TYPE
      %r12 = arith.select %ogt, %x, %y : TYPE
      %oge = arith.cmpf oge, %x, %z : TYPE
      %r13 = arith.select %oge, %x, %y : TYPE
      %olt = arith.cmpf olt, %x, %z : TYPE
      %r14 = arith.select %olt, %x, %y : TYPE
      %ole = arith.cmpf ole, %x, %z : TYPE
      %r15 = arith.select %ole, %x, %y : TYPE
      %one = arith.cmpf one, %x, %z : TYPE
      %r16 = arith.select %one, %x, %y : TYPE
      %ord = arith.cmpf ord, %x, %z : TYPE
      %r17 = arith.select %ord, %x, %y : TYPE
      %ueq = arith.cmpf ueq, %x, %z : TYPE
      %r18 = arith.select %ueq, %x, %y : TYPE
      %ugt = arith.cmpf ugt, %x, %z : TYPE
      %r19 = arith.select %ugt, %x, %y : TYPE
      %uge = arith.cmpf uge, %x, %z : TYPE
      %r20 = arith.select %uge, %x, %y : TYPE
      %ult = arith.cmpf ult, %x, %z : TYPE
      %r21 = arith.select %ult, %x, %y : TYPE
      %ule = arith.cmpf ule, %x, %z : TYPE
      %r22 = arith.select %ule, %x, %y : TYPE
      %une = arith.cmpf une, %x, %z : TYPE
      %r23 = arith.select %une, %x, %y : TYPE
      %uno = arith.cmpf uno, %x, %z : TYPE
      %r24 = arith.select %uno, %x, %y : TYPE
      %true = arith.cmpf true, %x, %z : TYPE
      %r25 = arith.select %true, %x, %y : TYPE
      %k0 = arith.constant 0 : index
      memref.store %r0, %o[%k0, %i] : memref<26x45xTYPE>
      %k1 = arith.constant 1 : index
      memref.store %r1, %o[%k1, %i] : memref<26x45xTYPE>
      %k2 = arith.constant 2 : index
      memref.store %r2, %o[%k2, %i] : memref<26x45xTYPE>
      %k3 = arith.constant 3 : index
      memref.store %r3, %o[%k3, %i] : memref<26x45xTYPE>
      %k4 = arith.constant 4 : index
      memref.store %r4, %o[%k4, %i] : memref<26x45xTYPE>
      %k5 = arith.constant 5 : index
      memref.store %r5, %o[%k5, %i] : memref<26x45xTYPE>
      %k6 = arith.constant 6 : index
      memref.store %r6, %o[%k6, %i] : memref<26x45xTYPE>
      %k7 = arith.constant 7 : index
      memref.store %r7, %o[%k7, %i] : memref<26x45xTYPE>
      %k8 = arith.constant 8 : index
      memref.store %r8, %o[%k8, %i] : memref<26x45xTYPE>
      %k9 = arith.constant 9 : index
      memref.store %r9, %o[%k9, %i] : memref<26x45xTYPE>
      %k10 = arith.constant 10 : index
      memref.store %r10, %o[%k10, %i] : memref<26x45xTYPE>
      %k11 = arith.constant 11 : index
      memref.store %r11, %o[%k11, %i] : memref<26x45xTYPE>
      %k12 = arith.constant 12 : index
      memref.store %r12, %o[%k12, %i] : memref<26x45xTYPE>
      %k13 = arith.constant 13 : index
      memref.store %r13, %o[%k13, %i] : memref<26x45xTYPE>
      %k14 = arith.constant 14 : index
      memref.store %r14, %o[%k14, %i] : memref<26x45xTYPE>
      %k15 = arith.constant 15 : index
      memref.store %r15, %o[%k15, %i] : memref<26x45xTYPE>
      %k16 = arith.constant 16 : index
      memref.store %r16, %o[%k16, %i] : memref<26x45xTYPE>
      %k17 = arith.constant 17 : index
      memref.store %r17, %o[%k17, %i] : memref<26x45xTYPE>
      %k18 = arith.constant 18 : index
      memref.store %r18, %o[%k18, %i] : memref<26x45xTYPE>
      %k19 = arith.constant 19 : index
      memref.store %r19, %o[%k19, %i] : memref<26x45xTYPE>
      %k20 = arith.constant 20 : index
      memref.store %r20, %o[%k20, %i] : memref<26x45xTYPE>
      %k21 = arith.constant 21 : index
      memref.store %r21, %o[%k21, %i] : memref<26x45xTYPE>
      %k22 = arith.constant 22 : index
      memref.store %r22, %o[%k22, %i] : memref<26x45xTYPE>
      %k23 = arith.constant 23 : index
      memref.store %r23, %o[%k23, %i] : memref<26x45xTYPE>
      %k24 = arith.constant 24 : index
      memref.store %r24, %o[%k24, %i] : memref<26x45xTYPE>
      %k25 = arith.constant 25 : index
      memref.store %r25, %o[%k25, %i] : memref<26x45xTYPE>
    }
  }
  return
}
