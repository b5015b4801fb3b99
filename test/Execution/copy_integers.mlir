// Copies, loads and stores that convert from each integer type to every other: global to
// shared memory with padding, back past the edges, shared to shared, loads from both
// memories, stores. One rounding, so nothing is tolerated; sizes that divide by
// nothing, one to eight warps.
// DEFINE: %{from} =
// DEFINE: %{threads} =
// DEFINE: %{data} =
// DEFINE: %{run} = sed -e 's/FROM/%{from}/g; s/THREADS/%{threads}/g' %s | tile-run - --entry=all --on=emulator --check --data='0:%{data}'
// REDEFINE: %{from} = i1
// REDEFINE: %{threads} = 32
// REDEFINE: %{data} = values(0,1,1)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = i8
// REDEFINE: %{threads} = 64
// REDEFINE: %{data} = integers(-128,127)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = i16
// REDEFINE: %{threads} = 96
// REDEFINE: %{data} = integers(-32768,32767)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = i32
// REDEFINE: %{threads} = 128
// REDEFINE: %{data} = integers(-2147483648,2147483647)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = i64
// REDEFINE: %{threads} = 192
// REDEFINE: %{data} = integers(-9000000000000000000,9000000000000000000)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = index
// REDEFINE: %{threads} = 256
// REDEFINE: %{data} = integers(-9000000000000000000,9000000000000000000)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
#shared = #gpu.address_space<workgroup>

func.func @all(%a: memref<20x21xFROM>,
    %i1: memref<6x20x21xi1>,
    %i8: memref<6x20x21xi8>,
    %i16: memref<6x20x21xi16>,
    %i32: memref<6x20x21xi32>,
    %i64: memref<6x20x21xi64>) {
  call @to_i1(%a, %i1) : (memref<20x21xFROM>, memref<6x20x21xi1>) -> ()
  call @to_i8(%a, %i8) : (memref<20x21xFROM>, memref<6x20x21xi8>) -> ()
  call @to_i16(%a, %i16) : (memref<20x21xFROM>, memref<6x20x21xi16>) -> ()
  call @to_i32(%a, %i32) : (memref<20x21xFROM>, memref<6x20x21xi32>) -> ()
  call @to_i64(%a, %i64) : (memref<20x21xFROM>, memref<6x20x21xi64>) -> ()
  return
}

func.func private @to_i1(%a: memref<20x21xFROM>, %o: memref<6x20x21xi1>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %m2 = arith.constant -2 : index
    %pad = arith.constant 1 : i1
    %to = tile.alloc : memref<24x24xi1, #shared>
    tile.copy %a[%m2, %c0] pad(%pad) to %to : memref<20x21xFROM> to memref<24x24xi1, #shared>
    tile.copy %to to %o[%c0, %c0, %c0] [1, 24, 24] : memref<24x24xi1, #shared> to memref<6x20x21xi1>
    %from = tile.alloc : memref<20x21xFROM, #shared>
    tile.copy %a to %from : memref<20x21xFROM> to memref<20x21xFROM, #shared>
    tile.copy %from to %o[%c1, %c0, %c0] [1, 20, 21] : memref<20x21xFROM, #shared> to memref<6x20x21xi1>
    %between = tile.alloc : memref<20x21xi1, #shared>
    tile.copy %from to %between : memref<20x21xFROM, #shared> to memref<20x21xi1, #shared>
    tile.copy %between to %o[%c2, %c0, %c0] [1, 20, 21] : memref<20x21xi1, #shared> to memref<6x20x21xi1>
    %loaded = tile.load %a[%c0, %m2] pad(%pad) : memref<20x21xFROM> -> tensor<20x24xi1>
    tile.store %loaded, %o[%c3, %c0, %c0] [1, 20, 24] : tensor<20x24xi1>, memref<6x20x21xi1>
    %read = tile.load %from : memref<20x21xFROM, #shared> -> tensor<20x21xi1>
    tile.store %read, %o[%c4, %c0, %c0] [1, 20, 21] : tensor<20x21xi1>, memref<6x20x21xi1>
    %stored = tile.load %a : memref<20x21xFROM> -> tensor<20x21xFROM>
    tile.store %stored, %o[%c5, %c0, %c0] [1, 20, 21] : tensor<20x21xFROM>, memref<6x20x21xi1>
  }
  return
}

func.func private @to_i8(%a: memref<20x21xFROM>, %o: memref<6x20x21xi8>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %m2 = arith.constant -2 : index
    %pad = arith.constant 5 : i8
    %to = tile.alloc : memref<24x24xi8, #shared>
    tile.copy %a[%m2, %c0] pad(%pad) to %to : memref<20x21xFROM> to memref<24x24xi8, #shared>
    tile.copy %to to %o[%c0, %c0, %c0] [1, 24, 24] : memref<24x24xi8, #shared> to memref<6x20x21xi8>
    %from = tile.alloc : memref<20x21xFROM, #shared>
    tile.copy %a to %from : memref<20x21xFROM> to memref<20x21xFROM, #shared>
    tile.copy %from to %o[%c1, %c0, %c0] [1, 20, 21] : memref<20x21xFROM, #shared> to memref<6x20x21xi8>
    %between = tile.alloc : memref<20x21xi8, #shared>
    tile.copy %from to %between : memref<20x21xFROM, #shared> to memref<20x21xi8, #shared>
    tile.copy %between to %o[%c2, %c0, %c0] [1, 20, 21] : memref<20x21xi8, #shared> to memref<6x20x21xi8>
    %loaded = tile.load %a[%c0, %m2] pad(%pad) : memref<20x21xFROM> -> tensor<20x24xi8>
    tile.store %loaded, %o[%c3, %c0, %c0] [1, 20, 24] : tensor<20x24xi8>, memref<6x20x21xi8>
    %read = tile.load %from : memref<20x21xFROM, #shared> -> tensor<20x21xi8>
    tile.store %read, %o[%c4, %c0, %c0] [1, 20, 21] : tensor<20x21xi8>, memref<6x20x21xi8>
    %stored = tile.load %a : memref<20x21xFROM> -> tensor<20x21xFROM>
    tile.store %stored, %o[%c5, %c0, %c0] [1, 20, 21] : tensor<20x21xFROM>, memref<6x20x21xi8>
  }
  return
}

func.func private @to_i16(%a: memref<20x21xFROM>, %o: memref<6x20x21xi16>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %m2 = arith.constant -2 : index
    %pad = arith.constant 5 : i16
    %to = tile.alloc : memref<24x24xi16, #shared>
    tile.copy %a[%m2, %c0] pad(%pad) to %to : memref<20x21xFROM> to memref<24x24xi16, #shared>
    tile.copy %to to %o[%c0, %c0, %c0] [1, 24, 24] : memref<24x24xi16, #shared> to memref<6x20x21xi16>
    %from = tile.alloc : memref<20x21xFROM, #shared>
    tile.copy %a to %from : memref<20x21xFROM> to memref<20x21xFROM, #shared>
    tile.copy %from to %o[%c1, %c0, %c0] [1, 20, 21] : memref<20x21xFROM, #shared> to memref<6x20x21xi16>
    %between = tile.alloc : memref<20x21xi16, #shared>
    tile.copy %from to %between : memref<20x21xFROM, #shared> to memref<20x21xi16, #shared>
    tile.copy %between to %o[%c2, %c0, %c0] [1, 20, 21] : memref<20x21xi16, #shared> to memref<6x20x21xi16>
    %loaded = tile.load %a[%c0, %m2] pad(%pad) : memref<20x21xFROM> -> tensor<20x24xi16>
    tile.store %loaded, %o[%c3, %c0, %c0] [1, 20, 24] : tensor<20x24xi16>, memref<6x20x21xi16>
    %read = tile.load %from : memref<20x21xFROM, #shared> -> tensor<20x21xi16>
    tile.store %read, %o[%c4, %c0, %c0] [1, 20, 21] : tensor<20x21xi16>, memref<6x20x21xi16>
    %stored = tile.load %a : memref<20x21xFROM> -> tensor<20x21xFROM>
    tile.store %stored, %o[%c5, %c0, %c0] [1, 20, 21] : tensor<20x21xFROM>, memref<6x20x21xi16>
  }
  return
}

func.func private @to_i32(%a: memref<20x21xFROM>, %o: memref<6x20x21xi32>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %m2 = arith.constant -2 : index
    %pad = arith.constant 5 : i32
    %to = tile.alloc : memref<24x24xi32, #shared>
    tile.copy %a[%m2, %c0] pad(%pad) to %to : memref<20x21xFROM> to memref<24x24xi32, #shared>
    tile.copy %to to %o[%c0, %c0, %c0] [1, 24, 24] : memref<24x24xi32, #shared> to memref<6x20x21xi32>
    %from = tile.alloc : memref<20x21xFROM, #shared>
    tile.copy %a to %from : memref<20x21xFROM> to memref<20x21xFROM, #shared>
    tile.copy %from to %o[%c1, %c0, %c0] [1, 20, 21] : memref<20x21xFROM, #shared> to memref<6x20x21xi32>
    %between = tile.alloc : memref<20x21xi32, #shared>
    tile.copy %from to %between : memref<20x21xFROM, #shared> to memref<20x21xi32, #shared>
    tile.copy %between to %o[%c2, %c0, %c0] [1, 20, 21] : memref<20x21xi32, #shared> to memref<6x20x21xi32>
    %loaded = tile.load %a[%c0, %m2] pad(%pad) : memref<20x21xFROM> -> tensor<20x24xi32>
    tile.store %loaded, %o[%c3, %c0, %c0] [1, 20, 24] : tensor<20x24xi32>, memref<6x20x21xi32>
    %read = tile.load %from : memref<20x21xFROM, #shared> -> tensor<20x21xi32>
    tile.store %read, %o[%c4, %c0, %c0] [1, 20, 21] : tensor<20x21xi32>, memref<6x20x21xi32>
    %stored = tile.load %a : memref<20x21xFROM> -> tensor<20x21xFROM>
    tile.store %stored, %o[%c5, %c0, %c0] [1, 20, 21] : tensor<20x21xFROM>, memref<6x20x21xi32>
  }
  return
}

func.func private @to_i64(%a: memref<20x21xFROM>, %o: memref<6x20x21xi64>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %m2 = arith.constant -2 : index
    %pad = arith.constant 5 : i64
    %to = tile.alloc : memref<24x24xi64, #shared>
    tile.copy %a[%m2, %c0] pad(%pad) to %to : memref<20x21xFROM> to memref<24x24xi64, #shared>
    tile.copy %to to %o[%c0, %c0, %c0] [1, 24, 24] : memref<24x24xi64, #shared> to memref<6x20x21xi64>
    %from = tile.alloc : memref<20x21xFROM, #shared>
    tile.copy %a to %from : memref<20x21xFROM> to memref<20x21xFROM, #shared>
    tile.copy %from to %o[%c1, %c0, %c0] [1, 20, 21] : memref<20x21xFROM, #shared> to memref<6x20x21xi64>
    %between = tile.alloc : memref<20x21xi64, #shared>
    tile.copy %from to %between : memref<20x21xFROM, #shared> to memref<20x21xi64, #shared>
    tile.copy %between to %o[%c2, %c0, %c0] [1, 20, 21] : memref<20x21xi64, #shared> to memref<6x20x21xi64>
    %loaded = tile.load %a[%c0, %m2] pad(%pad) : memref<20x21xFROM> -> tensor<20x24xi64>
    tile.store %loaded, %o[%c3, %c0, %c0] [1, 20, 24] : tensor<20x24xi64>, memref<6x20x21xi64>
    %read = tile.load %from : memref<20x21xFROM, #shared> -> tensor<20x21xi64>
    tile.store %read, %o[%c4, %c0, %c0] [1, 20, 21] : tensor<20x21xi64>, memref<6x20x21xi64>
    %stored = tile.load %a : memref<20x21xFROM> -> tensor<20x21xFROM>
    tile.store %stored, %o[%c5, %c0, %c0] [1, 20, 21] : tensor<20x21xFROM>, memref<6x20x21xi64>
  }
  return
}
