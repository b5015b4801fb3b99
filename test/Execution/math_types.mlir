// Every floating-point operation of math at every element type that computes: on
// fragments, on the scalars of iterations and on scalars of the block; numbers of
// every kind, infinities, NaN, both zeros and subnormals. The type and the number of
// threads are substituted; 45 elements divide by neither.
// DEFINE: %{type} =
// DEFINE: %{threads} =
// DEFINE: %{data} =
// DEFINE: %{run} = sed -e 's/TYPE/%{type}/g; s/THREADS/%{threads}/g' %s | tile-run - --entry=all --on=emulator --check --data='%{data}'
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

func.func @all(%a: memref<45xTYPE>, %b: memref<45xTYPE>,
               %o: memref<24x45xTYPE>, %p: memref<24x45xTYPE>, %q: memref<24x45xTYPE>) {
  call @fragments(%a, %b, %o) : (memref<45xTYPE>, memref<45xTYPE>, memref<24x45xTYPE>) -> ()
  call @iterations(%a, %b, %p) : (memref<45xTYPE>, memref<45xTYPE>, memref<24x45xTYPE>) -> ()
  call @scalars(%a, %b, %q) : (memref<45xTYPE>, memref<45xTYPE>, memref<24x45xTYPE>) -> ()
  return
}

func.func private @put(%t: tensor<45xTYPE>, %o: memref<24x45xTYPE>, %row: index) {
  %zero = arith.constant 0 : index
  tile.store %t, %o[%row, %zero] [1, 45] : tensor<45xTYPE>, memref<24x45xTYPE>
  return
}

func.func @fragments(%a: memref<45xTYPE>, %b: memref<45xTYPE>, %o: memref<24x45xTYPE>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %one = arith.constant dense<1.0> : tensor<45xTYPE>
    %three = arith.constant dense<3.0> : tensor<45xTYPE>
    %x = tile.load %a : memref<45xTYPE> -> tensor<45xTYPE>
    %y = tile.load %b : memref<45xTYPE> -> tensor<45xTYPE>
    %p = math.absf %x : tensor<45xTYPE>
    %u = arith.minimumf %x, %three : tensor<45xTYPE>
    %r0 = math.absf %u : tensor<45xTYPE>
    %r1 = math.ceil %u : tensor<45xTYPE>
    %r2 = math.cos %u : tensor<45xTYPE>
    %r3 = math.erf %u : tensor<45xTYPE>
    %r4 = math.exp %u : tensor<45xTYPE>
    %r5 = math.exp2 %u : tensor<45xTYPE>
    %r6 = math.expm1 %u : tensor<45xTYPE>
    %r7 = math.floor %u : tensor<45xTYPE>
    %r8 = math.log1p %p : tensor<45xTYPE>
    %r9 = math.round %u : tensor<45xTYPE>
    %r10 = math.roundeven %u : tensor<45xTYPE>
    %r11 = math.sin %u : tensor<45xTYPE>
    %r12 = math.tanh %u : tensor<45xTYPE>
    %r13 = math.trunc %u : tensor<45xTYPE>
    %r14 = math.log %p : tensor<45xTYPE>
    %r15 = math.log2 %p : tensor<45xTYPE>
    %r16 = math.rsqrt %p : tensor<45xTYPE>
    %r17 = math.sqrt %p : tensor<45xTYPE>
    %r18 = math.copysign %x, %y : tensor<45xTYPE>
    %r19 = math.powf %p, %u : tensor<45xTYPE>
    %r20 = math.fma %x, %y, %x : tensor<45xTYPE>
    %isfinite = math.isfinite %y : tensor<45xTYPE>
    %r21 = arith.select %isfinite, %x, %one : tensor<45xi1>, tensor<45xTYPE>
    %isinf = math.isinf %y : tensor<45xTYPE>
    %r22 = arith.select %isinf, %x, %one : tensor<45xi1>, tensor<45xTYPE>
    %isnan = math.isnan %y : tensor<45xTYPE>
    %r23 = arith.select %isnan, %x, %one : tensor<45xi1>, tensor<45xTYPE>
    %k0 = arith.constant 0 : index
    func.call @put(%r0, %o, %k0) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k1 = arith.constant 1 : index
    func.call @put(%r1, %o, %k1) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k2 = arith.constant 2 : index
    func.call @put(%r2, %o, %k2) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k3 = arith.constant 3 : index
    func.call @put(%r3, %o, %k3) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k4 = arith.constant 4 : index
    func.call @put(%r4, %o, %k4) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k5 = arith.constant 5 : index
    func.call @put(%r5, %o, %k5) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k6 = arith.constant 6 : index
    func.call @put(%r6, %o, %k6) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k7 = arith.constant 7 : index
    func.call @put(%r7, %o, %k7) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k8 = arith.constant 8 : index
    func.call @put(%r8, %o, %k8) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k9 = arith.constant 9 : index
    func.call @put(%r9, %o, %k9) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k10 = arith.constant 10 : index
    func.call @put(%r10, %o, %k10) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k11 = arith.constant 11 : index
    func.call @put(%r11, %o, %k11) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k12 = arith.constant 12 : index
    func.call @put(%r12, %o, %k12) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k13 = arith.constant 13 : index
    func.call @put(%r13, %o, %k13) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k14 = arith.constant 14 : index
    func.call @put(%r14, %o, %k14) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k15 = arith.constant 15 : index
    func.call @put(%r15, %o, %k15) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k16 = arith.constant 16 : index
    func.call @put(%r16, %o, %k16) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k17 = arith.constant 17 : index
    func.call @put(%r17, %o, %k17) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k18 = arith.constant 18 : index
    func.call @put(%r18, %o, %k18) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k19 = arith.constant 19 : index
    func.call @put(%r19, %o, %k19) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k20 = arith.constant 20 : index
    func.call @put(%r20, %o, %k20) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k21 = arith.constant 21 : index
    func.call @put(%r21, %o, %k21) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k22 = arith.constant 22 : index
    func.call @put(%r22, %o, %k22) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
    %k23 = arith.constant 23 : index
    func.call @put(%r23, %o, %k23) : (tensor<45xTYPE>, memref<24x45xTYPE>, index) -> ()
  }
  return
}

func.func @iterations(%a: memref<45xTYPE>, %b: memref<45xTYPE>, %o: memref<24x45xTYPE>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %one = arith.constant 1.0 : TYPE
    %three = arith.constant 3.0 : TYPE
    tile.parallel (%i) in (45) {
      %x = memref.load %a[%i] : memref<45xTYPE>
      %y = memref.load %b[%i] : memref<45xTYPE>
      %p = math.absf %x : TYPE
      %u = arith.minimumf %x, %three : TYPE
      %r0 = math.absf %u : TYPE
      %r1 = math.ceil %u : TYPE
      %r2 = math.cos %u : TYPE
      %r3 = math.erf %u : TYPE
      %r4 = math.exp %u : TYPE
      %r5 = math.exp2 %u : TYPE
      %r6 = math.expm1 %u : TYPE
      %r7 = math.floor %u : TYPE
      %r8 = math.log1p %p : TYPE
      %r9 = math.round %u : TYPE
      %r10 = math.roundeven %u : TYPE
      %r11 = math.sin %u : TYPE
      %r12 = math.tanh %u : TYPE
      %r13 = math.trunc %u : TYPE
      %r14 = math.log %p : TYPE
      %r15 = math.log2 %p : TYPE
      %r16 = math.rsqrt %p : TYPE
      %r17 = math.sqrt %p : TYPE
      %r18 = math.copysign %x, %y : TYPE
      %r19 = math.powf %p, %u : TYPE
      %r20 = math.fma %x, %y, %x : TYPE
      %isfinite = math.isfinite %y : TYPE
      %r21 = arith.select %isfinite, %x, %one : TYPE
      %isinf = math.isinf %y : TYPE
      %r22 = arith.select %isinf, %x, %one : TYPE
      %isnan = math.isnan %y : TYPE
      %r23 = arith.select %isnan, %x, %one : TYPE
      %k0 = arith.constant 0 : index
      memref.store %r0, %o[%k0, %i] : memref<24x45xTYPE>
      %k1 = arith.constant 1 : index
      memref.store %r1, %o[%k1, %i] : memref<24x45xTYPE>
      %k2 = arith.constant 2 : index
      memref.store %r2, %o[%k2, %i] : memref<24x45xTYPE>
      %k3 = arith.constant 3 : index
      memref.store %r3, %o[%k3, %i] : memref<24x45xTYPE>
      %k4 = arith.constant 4 : index
      memref.store %r4, %o[%k4, %i] : memref<24x45xTYPE>
      %k5 = arith.constant 5 : index
      memref.store %r5, %o[%k5, %i] : memref<24x45xTYPE>
      %k6 = arith.constant 6 : index
      memref.store %r6, %o[%k6, %i] : memref<24x45xTYPE>
      %k7 = arith.constant 7 : index
      memref.store %r7, %o[%k7, %i] : memref<24x45xTYPE>
      %k8 = arith.constant 8 : index
      memref.store %r8, %o[%k8, %i] : memref<24x45xTYPE>
      %k9 = arith.constant 9 : index
      memref.store %r9, %o[%k9, %i] : memref<24x45xTYPE>
      %k10 = arith.constant 10 : index
      memref.store %r10, %o[%k10, %i] : memref<24x45xTYPE>
      %k11 = arith.constant 11 : index
      memref.store %r11, %o[%k11, %i] : memref<24x45xTYPE>
      %k12 = arith.constant 12 : index
      memref.store %r12, %o[%k12, %i] : memref<24x45xTYPE>
      %k13 = arith.constant 13 : index
      memref.store %r13, %o[%k13, %i] : memref<24x45xTYPE>
      %k14 = arith.constant 14 : index
      memref.store %r14, %o[%k14, %i] : memref<24x45xTYPE>
      %k15 = arith.constant 15 : index
      memref.store %r15, %o[%k15, %i] : memref<24x45xTYPE>
      %k16 = arith.constant 16 : index
      memref.store %r16, %o[%k16, %i] : memref<24x45xTYPE>
      %k17 = arith.constant 17 : index
      memref.store %r17, %o[%k17, %i] : memref<24x45xTYPE>
      %k18 = arith.constant 18 : index
      memref.store %r18, %o[%k18, %i] : memref<24x45xTYPE>
      %k19 = arith.constant 19 : index
      memref.store %r19, %o[%k19, %i] : memref<24x45xTYPE>
      %k20 = arith.constant 20 : index
      memref.store %r20, %o[%k20, %i] : memref<24x45xTYPE>
      %k21 = arith.constant 21 : index
      memref.store %r21, %o[%k21, %i] : memref<24x45xTYPE>
      %k22 = arith.constant 22 : index
      memref.store %r22, %o[%k22, %i] : memref<24x45xTYPE>
      %k23 = arith.constant 23 : index
      memref.store %r23, %o[%k23, %i] : memref<24x45xTYPE>
    }
  }
  return
}

func.func @scalars(%a: memref<45xTYPE>, %b: memref<45xTYPE>, %o: memref<24x45xTYPE>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %one = arith.constant 1.0 : TYPE
    %three = arith.constant 3.0 : TYPE
    %first = arith.constant 0 : index
    %step = arith.constant 1 : index
    %end = arith.constant 45 : index
    scf.for %i = %first to %end step %step {
      %x = memref.load %a[%i] : memref<45xTYPE>
      %y = memref.load %b[%i] : memref<45xTYPE>
      %p = math.absf %x : TYPE
      %u = arith.minimumf %x, %three : TYPE
      %r0 = math.absf %u : TYPE
      %r1 = math.ceil %u : TYPE
      %r2 = math.cos %u : TYPE
      %r3 = math.erf %u : TYPE
      %r4 = math.exp %u : TYPE
      %r5 = math.exp2 %u : TYPE
      %r6 = math.expm1 %u : TYPE
      %r7 = math.floor %u : TYPE
      %r8 = math.log1p %p : TYPE
      %r9 = math.round %u : TYPE
      %r10 = math.roundeven %u : TYPE
      %r11 = math.sin %u : TYPE
      %r12 = math.tanh %u : TYPE
      %r13 = math.trunc %u : TYPE
      %r14 = math.log %p : TYPE
      %r15 = math.log2 %p : TYPE
      %r16 = math.rsqrt %p : TYPE
      %r17 = math.sqrt %p : TYPE
      %r18 = math.copysign %x, %y : TYPE
      %r19 = math.powf %p, %u : TYPE
      %r20 = math.fma %x, %y, %x : TYPE
      %isfinite = math.isfinite %y : TYPE
      %r21 = arith.select %isfinite, %x, %one : TYPE
      %isinf = math.isinf %y : TYPE
      %r22 = arith.select %isinf, %x, %one : TYPE
      %isnan = math.isnan %y : TYPE
      %r23 = arith.select %isnan, %x, %one : TYPE
      %k0 = arith.constant 0 : index
      memref.store %r0, %o[%k0, %i] : memref<24x45xTYPE>
      %k1 = arith.constant 1 : index
      memref.store %r1, %o[%k1, %i] : memref<24x45xTYPE>
      %k2 = arith.constant 2 : index
      memref.store %r2, %o[%k2, %i] : memref<24x45xTYPE>
      %k3 = arith.constant 3 : index
      memref.store %r3, %o[%k3, %i] : memref<24x45xTYPE>
      %k4 = arith.constant 4 : index
      memref.store %r4, %o[%k4, %i] : memref<24x45xTYPE>
      %k5 = arith.constant 5 : index
      memref.store %r5, %o[%k5, %i] : memref<24x45xTYPE>
      %k6 = arith.constant 6 : index
      memref.store %r6, %o[%k6, %i] : memref<24x45xTYPE>
      %k7 = arith.constant 7 : index
      memref.store %r7, %o[%k7, %i] : memref<24x45xTYPE>
      %k8 = arith.constant 8 : index
      memref.store %r8, %o[%k8, %i] : memref<24x45xTYPE>
      %k9 = arith.constant 9 : index
      memref.store %r9, %o[%k9, %i] : memref<24x45xTYPE>
      %k10 = arith.constant 10 : index
      memref.store %r10, %o[%k10, %i] : memref<24x45xTYPE>
      %k11 = arith.constant 11 : index
      memref.store %r11, %o[%k11, %i] : memref<24x45xTYPE>
      %k12 = arith.constant 12 : index
      memref.store %r12, %o[%k12, %i] : memref<24x45xTYPE>
      %k13 = arith.constant 13 : index
      memref.store %r13, %o[%k13, %i] : memref<24x45xTYPE>
      %k14 = arith.constant 14 : index
      memref.store %r14, %o[%k14, %i] : memref<24x45xTYPE>
      %k15 = arith.constant 15 : index
      memref.store %r15, %o[%k15, %i] : memref<24x45xTYPE>
      %k16 = arith.constant 16 : index
      memref.store %r16, %o[%k16, %i] : memref<24x45xTYPE>
      %k17 = arith.constant 17 : index
      memref.store %r17, %o[%k17, %i] : memref<24x45xTYPE>
      %k18 = arith.constant 18 : index
      memref.store %r18, %o[%k18, %i] : memref<24x45xTYPE>
      %k19 = arith.constant 19 : index
      memref.store %r19, %o[%k19, %i] : memref<24x45xTYPE>
      %k20 = arith.constant 20 : index
      memref.store %r20, %o[%k20, %i] : memref<24x45xTYPE>
      %k21 = arith.constant 21 : index
      memref.store %r21, %o[%k21, %i] : memref<24x45xTYPE>
      %k22 = arith.constant 22 : index
      memref.store %r22, %o[%k22, %i] : memref<24x45xTYPE>
      %k23 = arith.constant 23 : index
      memref.store %r23, %o[%k23, %i] : memref<24x45xTYPE>
    }
  }
  return
}
