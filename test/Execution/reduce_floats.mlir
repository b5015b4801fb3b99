// Reductions of floats of every type by every kind: along either dimension and both,
// with and without an initial value, one to eight warps; 12 x 41 divides by nothing.
// Numbers whose sums and products are exact in any order, so that nothing is
// tolerated; NaN, which some kinds pass on and some leave out, and infinity.
// DEFINE: %{type} =
// DEFINE: %{threads} =
// DEFINE: %{data} =
// DEFINE: %{run} = sed -e 's/TYPE/%{type}/g; s/THREADS/%{threads}/g' %s | tile-run - --entry=all --on=emulator --check --rtol=0 --atol=0 --data='%{data}'
// Sums and products that round, over warps: once.
// DEFINE: %{rounded} = sed -e 's/TYPE/%{type}/g; s/THREADS/128/g' %s | tile-run - --entry=all --on=emulator --check --data='uniform(-1.5,1.5)'
// REDEFINE: %{type} = bf16
// RUN: %{rounded} --chip=sm_80
// REDEFINE: %{type} = f16
// RUN: %{rounded} --chip=sm_90a
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
// REDEFINE: %{type} = f32
// REDEFINE: %{threads} = 192
// REDEFINE: %{data} = values(1,-1,0.5,2)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f16
// REDEFINE: %{threads} = 256
// REDEFINE: %{data} = values(1,-1,0.5,2)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f16
// REDEFINE: %{threads} = 32
// REDEFINE: %{data} = values(1,nan,-3,0.5,2,-inf)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = bf16
// REDEFINE: %{threads} = 64
// REDEFINE: %{data} = values(1,nan,-3,0.5,2,-inf)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f32
// REDEFINE: %{threads} = 96
// REDEFINE: %{data} = values(1,nan,-3,0.5,2,-inf)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f64
// REDEFINE: %{threads} = 128
// REDEFINE: %{data} = values(1,nan,-3,0.5,2,-inf)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f32
// REDEFINE: %{threads} = 192
// REDEFINE: %{data} = values(1,nan,-3,0.5,2,-inf)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f16
// REDEFINE: %{threads} = 256
// REDEFINE: %{data} = values(1,nan,-3,0.5,2,-inf)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a

func.func @all(%a: memref<12x41xTYPE>, %i0: memref<41xTYPE>, %i1: memref<12xTYPE>,
    %o0: memref<6x41xTYPE>, %o1: memref<6x12xTYPE>, %o2: memref<6xTYPE>, %o3: memref<6x41xTYPE>, %o4: memref<6x12xTYPE>) {
  %g = arith.constant 1 : index
  tile.launch @add blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %row = arith.constant 0 : index
    %t = tile.load %a : memref<12x41xTYPE> -> tensor<12x41xTYPE>
    %0 = tile.reduce <add> %t dims [0] : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %0, %o0[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<6x41xTYPE>
    %1 = tile.reduce <add> %t dims [1] : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %1, %o1[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<6x12xTYPE>
    %2 = tile.reduce <add> %t dims [0, 1] : tensor<12x41xTYPE> -> tensor<TYPE>
    %scalar = tensor.extract %2[] : tensor<TYPE>
    memref.store %scalar, %o2[%row] : memref<6xTYPE>
    %x = tile.load %i0 : memref<41xTYPE> -> tensor<41xTYPE>
    %3 = tile.reduce <add> %t dims [0] init(%x) : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %3, %o3[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<6x41xTYPE>
    %y = tile.load %i1 : memref<12xTYPE> -> tensor<12xTYPE>
    %4 = tile.reduce <add> %t dims [1] init(%y) : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %4, %o4[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<6x12xTYPE>
  }
  tile.launch @mul blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %row = arith.constant 1 : index
    %t = tile.load %a : memref<12x41xTYPE> -> tensor<12x41xTYPE>
    %0 = tile.reduce <mul> %t dims [0] : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %0, %o0[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<6x41xTYPE>
    %1 = tile.reduce <mul> %t dims [1] : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %1, %o1[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<6x12xTYPE>
    %2 = tile.reduce <mul> %t dims [0, 1] : tensor<12x41xTYPE> -> tensor<TYPE>
    %scalar = tensor.extract %2[] : tensor<TYPE>
    memref.store %scalar, %o2[%row] : memref<6xTYPE>
    %x = tile.load %i0 : memref<41xTYPE> -> tensor<41xTYPE>
    %3 = tile.reduce <mul> %t dims [0] init(%x) : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %3, %o3[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<6x41xTYPE>
    %y = tile.load %i1 : memref<12xTYPE> -> tensor<12xTYPE>
    %4 = tile.reduce <mul> %t dims [1] init(%y) : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %4, %o4[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<6x12xTYPE>
  }
  tile.launch @minnumf blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %row = arith.constant 2 : index
    %t = tile.load %a : memref<12x41xTYPE> -> tensor<12x41xTYPE>
    %0 = tile.reduce <minnumf> %t dims [0] : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %0, %o0[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<6x41xTYPE>
    %1 = tile.reduce <minnumf> %t dims [1] : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %1, %o1[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<6x12xTYPE>
    %2 = tile.reduce <minnumf> %t dims [0, 1] : tensor<12x41xTYPE> -> tensor<TYPE>
    %scalar = tensor.extract %2[] : tensor<TYPE>
    memref.store %scalar, %o2[%row] : memref<6xTYPE>
    %x = tile.load %i0 : memref<41xTYPE> -> tensor<41xTYPE>
    %3 = tile.reduce <minnumf> %t dims [0] init(%x) : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %3, %o3[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<6x41xTYPE>
    %y = tile.load %i1 : memref<12xTYPE> -> tensor<12xTYPE>
    %4 = tile.reduce <minnumf> %t dims [1] init(%y) : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %4, %o4[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<6x12xTYPE>
  }
  tile.launch @maxnumf blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %row = arith.constant 3 : index
    %t = tile.load %a : memref<12x41xTYPE> -> tensor<12x41xTYPE>
    %0 = tile.reduce <maxnumf> %t dims [0] : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %0, %o0[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<6x41xTYPE>
    %1 = tile.reduce <maxnumf> %t dims [1] : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %1, %o1[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<6x12xTYPE>
    %2 = tile.reduce <maxnumf> %t dims [0, 1] : tensor<12x41xTYPE> -> tensor<TYPE>
    %scalar = tensor.extract %2[] : tensor<TYPE>
    memref.store %scalar, %o2[%row] : memref<6xTYPE>
    %x = tile.load %i0 : memref<41xTYPE> -> tensor<41xTYPE>
    %3 = tile.reduce <maxnumf> %t dims [0] init(%x) : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %3, %o3[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<6x41xTYPE>
    %y = tile.load %i1 : memref<12xTYPE> -> tensor<12xTYPE>
    %4 = tile.reduce <maxnumf> %t dims [1] init(%y) : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %4, %o4[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<6x12xTYPE>
  }
  tile.launch @minimumf blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %row = arith.constant 4 : index
    %t = tile.load %a : memref<12x41xTYPE> -> tensor<12x41xTYPE>
    %0 = tile.reduce <minimumf> %t dims [0] : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %0, %o0[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<6x41xTYPE>
    %1 = tile.reduce <minimumf> %t dims [1] : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %1, %o1[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<6x12xTYPE>
    %2 = tile.reduce <minimumf> %t dims [0, 1] : tensor<12x41xTYPE> -> tensor<TYPE>
    %scalar = tensor.extract %2[] : tensor<TYPE>
    memref.store %scalar, %o2[%row] : memref<6xTYPE>
    %x = tile.load %i0 : memref<41xTYPE> -> tensor<41xTYPE>
    %3 = tile.reduce <minimumf> %t dims [0] init(%x) : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %3, %o3[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<6x41xTYPE>
    %y = tile.load %i1 : memref<12xTYPE> -> tensor<12xTYPE>
    %4 = tile.reduce <minimumf> %t dims [1] init(%y) : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %4, %o4[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<6x12xTYPE>
  }
  tile.launch @maximumf blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %row = arith.constant 5 : index
    %t = tile.load %a : memref<12x41xTYPE> -> tensor<12x41xTYPE>
    %0 = tile.reduce <maximumf> %t dims [0] : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %0, %o0[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<6x41xTYPE>
    %1 = tile.reduce <maximumf> %t dims [1] : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %1, %o1[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<6x12xTYPE>
    %2 = tile.reduce <maximumf> %t dims [0, 1] : tensor<12x41xTYPE> -> tensor<TYPE>
    %scalar = tensor.extract %2[] : tensor<TYPE>
    memref.store %scalar, %o2[%row] : memref<6xTYPE>
    %x = tile.load %i0 : memref<41xTYPE> -> tensor<41xTYPE>
    %3 = tile.reduce <maximumf> %t dims [0] init(%x) : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %3, %o3[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<6x41xTYPE>
    %y = tile.load %i1 : memref<12xTYPE> -> tensor<12xTYPE>
    %4 = tile.reduce <maximumf> %t dims [1] init(%y) : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %4, %o4[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<6x12xTYPE>
  }
  return
}
