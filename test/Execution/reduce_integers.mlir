// Reductions of integers of every type by every kind: along either dimension and
// both, with and without an initial value, one to eight warps; 12 x 41 divides by
// nothing.
// DEFINE: %{type} =
// DEFINE: %{threads} =
// DEFINE: %{data} =
// DEFINE: %{run} = sed -e 's/TYPE/%{type}/g; s/THREADS/%{threads}/g' %s | tile-run - --entry=all --on=emulator --check --data='%{data}'
// REDEFINE: %{type} = i1
// REDEFINE: %{threads} = 64
// REDEFINE: %{data} = values(0,1,1,1,1)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = i8
// REDEFINE: %{threads} = 32
// REDEFINE: %{data} = integers(-128,127)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = i16
// REDEFINE: %{threads} = 96
// REDEFINE: %{data} = integers(-32768,32767)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = i32
// REDEFINE: %{threads} = 128
// REDEFINE: %{data} = integers(-2147483648,2147483647)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = i64
// REDEFINE: %{threads} = 192
// REDEFINE: %{data} = integers(-9000000000000000000,9000000000000000000)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = index
// REDEFINE: %{threads} = 256
// REDEFINE: %{data} = integers(-9000000000000000000,9000000000000000000)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a

func.func @all(%a: memref<12x41xTYPE>, %i0: memref<41xTYPE>, %i1: memref<12xTYPE>,
    %o0: memref<9x41xTYPE>, %o1: memref<9x12xTYPE>, %o2: memref<9xTYPE>, %o3: memref<9x41xTYPE>, %o4: memref<9x12xTYPE>) {
  %g = arith.constant 1 : index
  tile.launch @add blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %row = arith.constant 0 : index
    %t = tile.load %a : memref<12x41xTYPE> -> tensor<12x41xTYPE>
    %0 = tile.reduce <add> %t dims [0] : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %0, %o0[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<9x41xTYPE>
    %1 = tile.reduce <add> %t dims [1] : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %1, %o1[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<9x12xTYPE>
    %2 = tile.reduce <add> %t dims [0, 1] : tensor<12x41xTYPE> -> tensor<TYPE>
    %scalar = tensor.extract %2[] : tensor<TYPE>
    memref.store %scalar, %o2[%row] : memref<9xTYPE>
    %x = tile.load %i0 : memref<41xTYPE> -> tensor<41xTYPE>
    %3 = tile.reduce <add> %t dims [0] init(%x) : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %3, %o3[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<9x41xTYPE>
    %y = tile.load %i1 : memref<12xTYPE> -> tensor<12xTYPE>
    %4 = tile.reduce <add> %t dims [1] init(%y) : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %4, %o4[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<9x12xTYPE>
  }
  tile.launch @mul blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %row = arith.constant 1 : index
    %t = tile.load %a : memref<12x41xTYPE> -> tensor<12x41xTYPE>
    %0 = tile.reduce <mul> %t dims [0] : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %0, %o0[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<9x41xTYPE>
    %1 = tile.reduce <mul> %t dims [1] : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %1, %o1[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<9x12xTYPE>
    %2 = tile.reduce <mul> %t dims [0, 1] : tensor<12x41xTYPE> -> tensor<TYPE>
    %scalar = tensor.extract %2[] : tensor<TYPE>
    memref.store %scalar, %o2[%row] : memref<9xTYPE>
    %x = tile.load %i0 : memref<41xTYPE> -> tensor<41xTYPE>
    %3 = tile.reduce <mul> %t dims [0] init(%x) : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %3, %o3[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<9x41xTYPE>
    %y = tile.load %i1 : memref<12xTYPE> -> tensor<12xTYPE>
    %4 = tile.reduce <mul> %t dims [1] init(%y) : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %4, %o4[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<9x12xTYPE>
  }
  tile.launch @minui blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %row = arith.constant 2 : index
    %t = tile.load %a : memref<12x41xTYPE> -> tensor<12x41xTYPE>
    %0 = tile.reduce <minui> %t dims [0] : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %0, %o0[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<9x41xTYPE>
    %1 = tile.reduce <minui> %t dims [1] : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %1, %o1[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<9x12xTYPE>
    %2 = tile.reduce <minui> %t dims [0, 1] : tensor<12x41xTYPE> -> tensor<TYPE>
    %scalar = tensor.extract %2[] : tensor<TYPE>
    memref.store %scalar, %o2[%row] : memref<9xTYPE>
    %x = tile.load %i0 : memref<41xTYPE> -> tensor<41xTYPE>
    %3 = tile.reduce <minui> %t dims [0] init(%x) : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %3, %o3[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<9x41xTYPE>
    %y = tile.load %i1 : memref<12xTYPE> -> tensor<12xTYPE>
    %4 = tile.reduce <minui> %t dims [1] init(%y) : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %4, %o4[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<9x12xTYPE>
  }
  tile.launch @minsi blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %row = arith.constant 3 : index
    %t = tile.load %a : memref<12x41xTYPE> -> tensor<12x41xTYPE>
    %0 = tile.reduce <minsi> %t dims [0] : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %0, %o0[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<9x41xTYPE>
    %1 = tile.reduce <minsi> %t dims [1] : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %1, %o1[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<9x12xTYPE>
    %2 = tile.reduce <minsi> %t dims [0, 1] : tensor<12x41xTYPE> -> tensor<TYPE>
    %scalar = tensor.extract %2[] : tensor<TYPE>
    memref.store %scalar, %o2[%row] : memref<9xTYPE>
    %x = tile.load %i0 : memref<41xTYPE> -> tensor<41xTYPE>
    %3 = tile.reduce <minsi> %t dims [0] init(%x) : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %3, %o3[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<9x41xTYPE>
    %y = tile.load %i1 : memref<12xTYPE> -> tensor<12xTYPE>
    %4 = tile.reduce <minsi> %t dims [1] init(%y) : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %4, %o4[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<9x12xTYPE>
  }
  tile.launch @maxui blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %row = arith.constant 4 : index
    %t = tile.load %a : memref<12x41xTYPE> -> tensor<12x41xTYPE>
    %0 = tile.reduce <maxui> %t dims [0] : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %0, %o0[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<9x41xTYPE>
    %1 = tile.reduce <maxui> %t dims [1] : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %1, %o1[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<9x12xTYPE>
    %2 = tile.reduce <maxui> %t dims [0, 1] : tensor<12x41xTYPE> -> tensor<TYPE>
    %scalar = tensor.extract %2[] : tensor<TYPE>
    memref.store %scalar, %o2[%row] : memref<9xTYPE>
    %x = tile.load %i0 : memref<41xTYPE> -> tensor<41xTYPE>
    %3 = tile.reduce <maxui> %t dims [0] init(%x) : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %3, %o3[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<9x41xTYPE>
    %y = tile.load %i1 : memref<12xTYPE> -> tensor<12xTYPE>
    %4 = tile.reduce <maxui> %t dims [1] init(%y) : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %4, %o4[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<9x12xTYPE>
  }
  tile.launch @maxsi blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %row = arith.constant 5 : index
    %t = tile.load %a : memref<12x41xTYPE> -> tensor<12x41xTYPE>
    %0 = tile.reduce <maxsi> %t dims [0] : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %0, %o0[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<9x41xTYPE>
    %1 = tile.reduce <maxsi> %t dims [1] : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %1, %o1[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<9x12xTYPE>
    %2 = tile.reduce <maxsi> %t dims [0, 1] : tensor<12x41xTYPE> -> tensor<TYPE>
    %scalar = tensor.extract %2[] : tensor<TYPE>
    memref.store %scalar, %o2[%row] : memref<9xTYPE>
    %x = tile.load %i0 : memref<41xTYPE> -> tensor<41xTYPE>
    %3 = tile.reduce <maxsi> %t dims [0] init(%x) : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %3, %o3[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<9x41xTYPE>
    %y = tile.load %i1 : memref<12xTYPE> -> tensor<12xTYPE>
    %4 = tile.reduce <maxsi> %t dims [1] init(%y) : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %4, %o4[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<9x12xTYPE>
  }
  tile.launch @and blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %row = arith.constant 6 : index
    %t = tile.load %a : memref<12x41xTYPE> -> tensor<12x41xTYPE>
    %0 = tile.reduce <and> %t dims [0] : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %0, %o0[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<9x41xTYPE>
    %1 = tile.reduce <and> %t dims [1] : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %1, %o1[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<9x12xTYPE>
    %2 = tile.reduce <and> %t dims [0, 1] : tensor<12x41xTYPE> -> tensor<TYPE>
    %scalar = tensor.extract %2[] : tensor<TYPE>
    memref.store %scalar, %o2[%row] : memref<9xTYPE>
    %x = tile.load %i0 : memref<41xTYPE> -> tensor<41xTYPE>
    %3 = tile.reduce <and> %t dims [0] init(%x) : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %3, %o3[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<9x41xTYPE>
    %y = tile.load %i1 : memref<12xTYPE> -> tensor<12xTYPE>
    %4 = tile.reduce <and> %t dims [1] init(%y) : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %4, %o4[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<9x12xTYPE>
  }
  tile.launch @or blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %row = arith.constant 7 : index
    %t = tile.load %a : memref<12x41xTYPE> -> tensor<12x41xTYPE>
    %0 = tile.reduce <or> %t dims [0] : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %0, %o0[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<9x41xTYPE>
    %1 = tile.reduce <or> %t dims [1] : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %1, %o1[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<9x12xTYPE>
    %2 = tile.reduce <or> %t dims [0, 1] : tensor<12x41xTYPE> -> tensor<TYPE>
    %scalar = tensor.extract %2[] : tensor<TYPE>
    memref.store %scalar, %o2[%row] : memref<9xTYPE>
    %x = tile.load %i0 : memref<41xTYPE> -> tensor<41xTYPE>
    %3 = tile.reduce <or> %t dims [0] init(%x) : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %3, %o3[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<9x41xTYPE>
    %y = tile.load %i1 : memref<12xTYPE> -> tensor<12xTYPE>
    %4 = tile.reduce <or> %t dims [1] init(%y) : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %4, %o4[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<9x12xTYPE>
  }
  tile.launch @xor blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %row = arith.constant 8 : index
    %t = tile.load %a : memref<12x41xTYPE> -> tensor<12x41xTYPE>
    %0 = tile.reduce <xor> %t dims [0] : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %0, %o0[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<9x41xTYPE>
    %1 = tile.reduce <xor> %t dims [1] : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %1, %o1[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<9x12xTYPE>
    %2 = tile.reduce <xor> %t dims [0, 1] : tensor<12x41xTYPE> -> tensor<TYPE>
    %scalar = tensor.extract %2[] : tensor<TYPE>
    memref.store %scalar, %o2[%row] : memref<9xTYPE>
    %x = tile.load %i0 : memref<41xTYPE> -> tensor<41xTYPE>
    %3 = tile.reduce <xor> %t dims [0] init(%x) : tensor<12x41xTYPE> -> tensor<41xTYPE>
    tile.store %3, %o3[%row, %c0] [1, 41] : tensor<41xTYPE>, memref<9x41xTYPE>
    %y = tile.load %i1 : memref<12xTYPE> -> tensor<12xTYPE>
    %4 = tile.reduce <xor> %t dims [1] init(%y) : tensor<12x41xTYPE> -> tensor<12xTYPE>
    tile.store %4, %o4[%row, %c0] [1, 12] : tensor<12xTYPE>, memref<9x12xTYPE>
  }
  return
}
