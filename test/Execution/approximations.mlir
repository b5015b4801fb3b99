// Approximations that fast-math flags allow, at every float type: on fragments (row by
// row of the first result) and in iterations (of the second), within the bounds of each.
// DEFINE: %{type} =
// DEFINE: %{run} = sed -e 's/TYPE/%{type}/g' %s | tile-run - --on=emulator --check --data='uniform(0.25,2)'
// REDEFINE: %{type} = f32
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f64
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f16
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = bf16
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a

func.func @all(%a: memref<37xTYPE>, %b: memref<37xTYPE>, %o: memref<22x37xTYPE>, %p: memref<22x37xTYPE>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(64) {
    %c0 = arith.constant 0 : index
    %x = tile.load %a : memref<37xTYPE> -> tensor<37xTYPE>
    %y = tile.load %b : memref<37xTYPE> -> tensor<37xTYPE>
    %r0 = math.exp %x fastmath<afn> : tensor<37xTYPE>
    %r1 = math.exp2 %x fastmath<afn> : tensor<37xTYPE>
    %r2 = math.log %x fastmath<afn> : tensor<37xTYPE>
    %r3 = math.log2 %x fastmath<afn> : tensor<37xTYPE>
    %r4 = math.sin %x fastmath<afn> : tensor<37xTYPE>
    %r5 = math.cos %x fastmath<afn> : tensor<37xTYPE>
    %r6 = math.tanh %x fastmath<afn> : tensor<37xTYPE>
    %r7 = math.rsqrt %x fastmath<afn> : tensor<37xTYPE>
    %r8 = math.sqrt %x fastmath<afn> : tensor<37xTYPE>
    %r9 = arith.divf %y, %x fastmath<afn> : tensor<37xTYPE>
    %r10 = math.exp %x fastmath<fast> : tensor<37xTYPE>
    %r11 = math.exp2 %x fastmath<fast> : tensor<37xTYPE>
    %r12 = math.log %x fastmath<fast> : tensor<37xTYPE>
    %r13 = math.log2 %x fastmath<fast> : tensor<37xTYPE>
    %r14 = math.sin %x fastmath<fast> : tensor<37xTYPE>
    %r15 = math.cos %x fastmath<fast> : tensor<37xTYPE>
    %r16 = math.tanh %x fastmath<fast> : tensor<37xTYPE>
    %r17 = math.rsqrt %x fastmath<fast> : tensor<37xTYPE>
    %r18 = math.sqrt %x fastmath<fast> : tensor<37xTYPE>
    %r19 = arith.divf %y, %x fastmath<fast> : tensor<37xTYPE>
    %product = arith.mulf %x, %y fastmath<contract> : tensor<37xTYPE>
    %r20 = arith.addf %product, %y fastmath<contract> : tensor<37xTYPE>
    %difference = arith.subf %x, %y fastmath<reassoc> : tensor<37xTYPE>
    %r21 = arith.addf %difference, %y fastmath<reassoc> : tensor<37xTYPE>
    %k0 = arith.constant 0 : index
    tile.store %r0, %o[%k0, %c0] [1, 37] : tensor<37xTYPE>, memref<22x37xTYPE>
    %k1 = arith.constant 1 : index
    tile.store %r1, %o[%k1, %c0] [1, 37] : tensor<37xTYPE>, memref<22x37xTYPE>
    %k2 = arith.constant 2 : index
    tile.store %r2, %o[%k2, %c0] [1, 37] : tensor<37xTYPE>, memref<22x37xTYPE>
    %k3 = arith.constant 3 : index
    tile.store %r3, %o[%k3, %c0] [1, 37] : tensor<37xTYPE>, memref<22x37xTYPE>
    %k4 = arith.constant 4 : index
    tile.store %r4, %o[%k4, %c0] [1, 37] : tensor<37xTYPE>, memref<22x37xTYPE>
    %k5 = arith.constant 5 : index
    tile.store %r5, %o[%k5, %c0] [1, 37] : tensor<37xTYPE>, memref<22x37xTYPE>
    %k6 = arith.constant 6 : index
    tile.store %r6, %o[%k6, %c0] [1, 37] : tensor<37xTYPE>, memref<22x37xTYPE>
    %k7 = arith.constant 7 : index
    tile.store %r7, %o[%k7, %c0] [1, 37] : tensor<37xTYPE>, memref<22x37xTYPE>
    %k8 = arith.constant 8 : index
    tile.store %r8, %o[%k8, %c0] [1, 37] : tensor<37xTYPE>, memref<22x37xTYPE>
    %k9 = arith.constant 9 : index
    tile.store %r9, %o[%k9, %c0] [1, 37] : tensor<37xTYPE>, memref<22x37xTYPE>
    %k10 = arith.constant 10 : index
    tile.store %r10, %o[%k10, %c0] [1, 37] : tensor<37xTYPE>, memref<22x37xTYPE>
    %k11 = arith.constant 11 : index
    tile.store %r11, %o[%k11, %c0] [1, 37] : tensor<37xTYPE>, memref<22x37xTYPE>
    %k12 = arith.constant 12 : index
    tile.store %r12, %o[%k12, %c0] [1, 37] : tensor<37xTYPE>, memref<22x37xTYPE>
    %k13 = arith.constant 13 : index
    tile.store %r13, %o[%k13, %c0] [1, 37] : tensor<37xTYPE>, memref<22x37xTYPE>
    %k14 = arith.constant 14 : index
    tile.store %r14, %o[%k14, %c0] [1, 37] : tensor<37xTYPE>, memref<22x37xTYPE>
    %k15 = arith.constant 15 : index
    tile.store %r15, %o[%k15, %c0] [1, 37] : tensor<37xTYPE>, memref<22x37xTYPE>
    %k16 = arith.constant 16 : index
    tile.store %r16, %o[%k16, %c0] [1, 37] : tensor<37xTYPE>, memref<22x37xTYPE>
    %k17 = arith.constant 17 : index
    tile.store %r17, %o[%k17, %c0] [1, 37] : tensor<37xTYPE>, memref<22x37xTYPE>
    %k18 = arith.constant 18 : index
    tile.store %r18, %o[%k18, %c0] [1, 37] : tensor<37xTYPE>, memref<22x37xTYPE>
    %k19 = arith.constant 19 : index
    tile.store %r19, %o[%k19, %c0] [1, 37] : tensor<37xTYPE>, memref<22x37xTYPE>
    %k20 = arith.constant 20 : index
    tile.store %r20, %o[%k20, %c0] [1, 37] : tensor<37xTYPE>, memref<22x37xTYPE>
    %k21 = arith.constant 21 : index
    tile.store %r21, %o[%k21, %c0] [1, 37] : tensor<37xTYPE>, memref<22x37xTYPE>
  }
  tile.launch blocks(%block) in (%g) threads(64) {
    tile.parallel (%i) in (37) {
      %x = memref.load %a[%i] : memref<37xTYPE>
      %y = memref.load %b[%i] : memref<37xTYPE>
      %r0 = math.exp %x fastmath<afn> : TYPE
      %r1 = math.exp2 %x fastmath<afn> : TYPE
      %r2 = math.log %x fastmath<afn> : TYPE
      %r3 = math.log2 %x fastmath<afn> : TYPE
      %r4 = math.sin %x fastmath<afn> : TYPE
      %r5 = math.cos %x fastmath<afn> : TYPE
      %r6 = math.tanh %x fastmath<afn> : TYPE
      %r7 = math.rsqrt %x fastmath<afn> : TYPE
      %r8 = math.sqrt %x fastmath<afn> : TYPE
      %r9 = arith.divf %y, %x fastmath<afn> : TYPE
      %r10 = math.exp %x fastmath<fast> : TYPE
      %r11 = math.exp2 %x fastmath<fast> : TYPE
      %r12 = math.log %x fastmath<fast> : TYPE
      %r13 = math.log2 %x fastmath<fast> : TYPE
      %r14 = math.sin %x fastmath<fast> : TYPE
      %r15 = math.cos %x fastmath<fast> : TYPE
      %r16 = math.tanh %x fastmath<fast> : TYPE
      %r17 = math.rsqrt %x fastmath<fast> : TYPE
      %r18 = math.sqrt %x fastmath<fast> : TYPE
      %r19 = arith.divf %y, %x fastmath<fast> : TYPE
      %product = arith.mulf %x, %y fastmath<contract> : TYPE
      %r20 = arith.addf %product, %y fastmath<contract> : TYPE
      %difference = arith.subf %x, %y fastmath<reassoc> : TYPE
      %r21 = arith.addf %difference, %y fastmath<reassoc> : TYPE
      %k0 = arith.constant 0 : index
      memref.store %r0, %p[%k0, %i] : memref<22x37xTYPE>
      %k1 = arith.constant 1 : index
      memref.store %r1, %p[%k1, %i] : memref<22x37xTYPE>
      %k2 = arith.constant 2 : index
      memref.store %r2, %p[%k2, %i] : memref<22x37xTYPE>
      %k3 = arith.constant 3 : index
      memref.store %r3, %p[%k3, %i] : memref<22x37xTYPE>
      %k4 = arith.constant 4 : index
      memref.store %r4, %p[%k4, %i] : memref<22x37xTYPE>
      %k5 = arith.constant 5 : index
      memref.store %r5, %p[%k5, %i] : memref<22x37xTYPE>
      %k6 = arith.constant 6 : index
      memref.store %r6, %p[%k6, %i] : memref<22x37xTYPE>
      %k7 = arith.constant 7 : index
      memref.store %r7, %p[%k7, %i] : memref<22x37xTYPE>
      %k8 = arith.constant 8 : index
      memref.store %r8, %p[%k8, %i] : memref<22x37xTYPE>
      %k9 = arith.constant 9 : index
      memref.store %r9, %p[%k9, %i] : memref<22x37xTYPE>
      %k10 = arith.constant 10 : index
      memref.store %r10, %p[%k10, %i] : memref<22x37xTYPE>
      %k11 = arith.constant 11 : index
      memref.store %r11, %p[%k11, %i] : memref<22x37xTYPE>
      %k12 = arith.constant 12 : index
      memref.store %r12, %p[%k12, %i] : memref<22x37xTYPE>
      %k13 = arith.constant 13 : index
      memref.store %r13, %p[%k13, %i] : memref<22x37xTYPE>
      %k14 = arith.constant 14 : index
      memref.store %r14, %p[%k14, %i] : memref<22x37xTYPE>
      %k15 = arith.constant 15 : index
      memref.store %r15, %p[%k15, %i] : memref<22x37xTYPE>
      %k16 = arith.constant 16 : index
      memref.store %r16, %p[%k16, %i] : memref<22x37xTYPE>
      %k17 = arith.constant 17 : index
      memref.store %r17, %p[%k17, %i] : memref<22x37xTYPE>
      %k18 = arith.constant 18 : index
      memref.store %r18, %p[%k18, %i] : memref<22x37xTYPE>
      %k19 = arith.constant 19 : index
      memref.store %r19, %p[%k19, %i] : memref<22x37xTYPE>
      %k20 = arith.constant 20 : index
      memref.store %r20, %p[%k20, %i] : memref<22x37xTYPE>
      %k21 = arith.constant 21 : index
      memref.store %r21, %p[%k21, %i] : memref<22x37xTYPE>
    }
  }
  return
}
