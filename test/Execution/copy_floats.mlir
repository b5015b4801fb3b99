// Copies, loads and stores that convert from each float type to every other: global to
// shared memory with padding, back past the edges, shared to shared, loads from both
// memories, stores. One rounding, so nothing is tolerated; sizes that divide by
// nothing, one to eight warps.
// DEFINE: %{from} =
// DEFINE: %{threads} =
// DEFINE: %{data} =
// DEFINE: %{run} = sed -e 's/FROM/%{from}/g; s/THREADS/%{threads}/g' %s | tile-run - --entry=all --on=emulator --check --rtol=0 --atol=0 --data='0:%{data}'
// REDEFINE: %{from} = f64
// REDEFINE: %{threads} = 32
// REDEFINE: %{data} = normal(0,20)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = f32
// REDEFINE: %{threads} = 64
// REDEFINE: %{data} = normal(0,20)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = f16
// REDEFINE: %{threads} = 96
// REDEFINE: %{data} = normal(0,20)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = bf16
// REDEFINE: %{threads} = 128
// REDEFINE: %{data} = normal(0,20)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = f8E4M3FN
// REDEFINE: %{threads} = 192
// REDEFINE: %{data} = normal(0,20)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = f8E5M2
// REDEFINE: %{threads} = 256
// REDEFINE: %{data} = normal(0,20)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = f64
// REDEFINE: %{threads} = 256
// REDEFINE: %{data} = values(0,-0,inf,-inf,nan,1e-7,65519,3e-5,1.0009765,448.1,-1e-9,57344,-470,0.0019)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = f32
// REDEFINE: %{threads} = 192
// REDEFINE: %{data} = values(0,-0,inf,-inf,nan,1e-7,65519,3e-5,1.0009765,448.1,-1e-9,57344,-470,0.0019)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = f16
// REDEFINE: %{threads} = 128
// REDEFINE: %{data} = values(0,-0,inf,-inf,nan,1e-7,65519,3e-5,1.0009765,448.1,-1e-9,57344,-470,0.0019)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = bf16
// REDEFINE: %{threads} = 96
// REDEFINE: %{data} = values(0,-0,inf,-inf,nan,1e-7,65519,3e-5,1.0009765,448.1,-1e-9,57344,-470,0.0019)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = f8E4M3FN
// REDEFINE: %{threads} = 64
// REDEFINE: %{data} = values(0,-0,inf,-inf,nan,1e-7,65519,3e-5,1.0009765,448.1,-1e-9,57344,-470,0.0019)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = f8E5M2
// REDEFINE: %{threads} = 32
// REDEFINE: %{data} = values(0,-0,inf,-inf,nan,1e-7,65519,3e-5,1.0009765,448.1,-1e-9,57344,-470,0.0019)
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
#shared = #gpu.address_space<workgroup>

func.func @all(%a: memref<20x21xFROM>,
    %f64: memref<6x20x21xf64>,
    %f32: memref<6x20x21xf32>,
    %f16: memref<6x20x21xf16>,
    %bf16: memref<6x20x21xbf16>,
    %f8E4M3FN: memref<6x20x21xf8E4M3FN>,
    %f8E5M2: memref<6x20x21xf8E5M2>) {
  call @to_f64(%a, %f64) : (memref<20x21xFROM>, memref<6x20x21xf64>) -> ()
  call @to_f32(%a, %f32) : (memref<20x21xFROM>, memref<6x20x21xf32>) -> ()
  call @to_f16(%a, %f16) : (memref<20x21xFROM>, memref<6x20x21xf16>) -> ()
  call @to_bf16(%a, %bf16) : (memref<20x21xFROM>, memref<6x20x21xbf16>) -> ()
  call @to_f8E4M3FN(%a, %f8E4M3FN) : (memref<20x21xFROM>, memref<6x20x21xf8E4M3FN>) -> ()
  call @to_f8E5M2(%a, %f8E5M2) : (memref<20x21xFROM>, memref<6x20x21xf8E5M2>) -> ()
  return
}

func.func private @to_f64(%a: memref<20x21xFROM>, %o: memref<6x20x21xf64>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %m2 = arith.constant -2 : index
    %pad = arith.constant 1.5 : f64
    %to = tile.alloc : memref<24x24xf64, #shared>
    tile.copy %a[%m2, %c0] pad(%pad) to %to : memref<20x21xFROM> to memref<24x24xf64, #shared>
    tile.copy %to to %o[%c0, %c0, %c0] [1, 24, 24] : memref<24x24xf64, #shared> to memref<6x20x21xf64>
    %from = tile.alloc : memref<20x21xFROM, #shared>
    tile.copy %a to %from : memref<20x21xFROM> to memref<20x21xFROM, #shared>
    tile.copy %from to %o[%c1, %c0, %c0] [1, 20, 21] : memref<20x21xFROM, #shared> to memref<6x20x21xf64>
    %between = tile.alloc : memref<20x21xf64, #shared>
    tile.copy %from to %between : memref<20x21xFROM, #shared> to memref<20x21xf64, #shared>
    tile.copy %between to %o[%c2, %c0, %c0] [1, 20, 21] : memref<20x21xf64, #shared> to memref<6x20x21xf64>
    %loaded = tile.load %a[%c0, %m2] pad(%pad) : memref<20x21xFROM> -> tensor<20x24xf64>
    tile.store %loaded, %o[%c3, %c0, %c0] [1, 20, 24] : tensor<20x24xf64>, memref<6x20x21xf64>
    %read = tile.load %from : memref<20x21xFROM, #shared> -> tensor<20x21xf64>
    tile.store %read, %o[%c4, %c0, %c0] [1, 20, 21] : tensor<20x21xf64>, memref<6x20x21xf64>
    %stored = tile.load %a : memref<20x21xFROM> -> tensor<20x21xFROM>
    tile.store %stored, %o[%c5, %c0, %c0] [1, 20, 21] : tensor<20x21xFROM>, memref<6x20x21xf64>
  }
  return
}

func.func private @to_f32(%a: memref<20x21xFROM>, %o: memref<6x20x21xf32>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %m2 = arith.constant -2 : index
    %pad = arith.constant 1.5 : f32
    %to = tile.alloc : memref<24x24xf32, #shared>
    tile.copy %a[%m2, %c0] pad(%pad) to %to : memref<20x21xFROM> to memref<24x24xf32, #shared>
    tile.copy %to to %o[%c0, %c0, %c0] [1, 24, 24] : memref<24x24xf32, #shared> to memref<6x20x21xf32>
    %from = tile.alloc : memref<20x21xFROM, #shared>
    tile.copy %a to %from : memref<20x21xFROM> to memref<20x21xFROM, #shared>
    tile.copy %from to %o[%c1, %c0, %c0] [1, 20, 21] : memref<20x21xFROM, #shared> to memref<6x20x21xf32>
    %between = tile.alloc : memref<20x21xf32, #shared>
    tile.copy %from to %between : memref<20x21xFROM, #shared> to memref<20x21xf32, #shared>
    tile.copy %between to %o[%c2, %c0, %c0] [1, 20, 21] : memref<20x21xf32, #shared> to memref<6x20x21xf32>
    %loaded = tile.load %a[%c0, %m2] pad(%pad) : memref<20x21xFROM> -> tensor<20x24xf32>
    tile.store %loaded, %o[%c3, %c0, %c0] [1, 20, 24] : tensor<20x24xf32>, memref<6x20x21xf32>
    %read = tile.load %from : memref<20x21xFROM, #shared> -> tensor<20x21xf32>
    tile.store %read, %o[%c4, %c0, %c0] [1, 20, 21] : tensor<20x21xf32>, memref<6x20x21xf32>
    %stored = tile.load %a : memref<20x21xFROM> -> tensor<20x21xFROM>
    tile.store %stored, %o[%c5, %c0, %c0] [1, 20, 21] : tensor<20x21xFROM>, memref<6x20x21xf32>
  }
  return
}

func.func private @to_f16(%a: memref<20x21xFROM>, %o: memref<6x20x21xf16>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %m2 = arith.constant -2 : index
    %pad = arith.constant 1.5 : f16
    %to = tile.alloc : memref<24x24xf16, #shared>
    tile.copy %a[%m2, %c0] pad(%pad) to %to : memref<20x21xFROM> to memref<24x24xf16, #shared>
    tile.copy %to to %o[%c0, %c0, %c0] [1, 24, 24] : memref<24x24xf16, #shared> to memref<6x20x21xf16>
    %from = tile.alloc : memref<20x21xFROM, #shared>
    tile.copy %a to %from : memref<20x21xFROM> to memref<20x21xFROM, #shared>
    tile.copy %from to %o[%c1, %c0, %c0] [1, 20, 21] : memref<20x21xFROM, #shared> to memref<6x20x21xf16>
    %between = tile.alloc : memref<20x21xf16, #shared>
    tile.copy %from to %between : memref<20x21xFROM, #shared> to memref<20x21xf16, #shared>
    tile.copy %between to %o[%c2, %c0, %c0] [1, 20, 21] : memref<20x21xf16, #shared> to memref<6x20x21xf16>
    %loaded = tile.load %a[%c0, %m2] pad(%pad) : memref<20x21xFROM> -> tensor<20x24xf16>
    tile.store %loaded, %o[%c3, %c0, %c0] [1, 20, 24] : tensor<20x24xf16>, memref<6x20x21xf16>
    %read = tile.load %from : memref<20x21xFROM, #shared> -> tensor<20x21xf16>
    tile.store %read, %o[%c4, %c0, %c0] [1, 20, 21] : tensor<20x21xf16>, memref<6x20x21xf16>
    %stored = tile.load %a : memref<20x21xFROM> -> tensor<20x21xFROM>
    tile.store %stored, %o[%c5, %c0, %c0] [1, 20, 21] : tensor<20x21xFROM>, memref<6x20x21xf16>
  }
  return
}

func.func private @to_bf16(%a: memref<20x21xFROM>, %o: memref<6x20x21xbf16>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %m2 = arith.constant -2 : index
    %pad = arith.constant 1.5 : bf16
    %to = tile.alloc : memref<24x24xbf16, #shared>
    tile.copy %a[%m2, %c0] pad(%pad) to %to : memref<20x21xFROM> to memref<24x24xbf16, #shared>
    tile.copy %to to %o[%c0, %c0, %c0] [1, 24, 24] : memref<24x24xbf16, #shared> to memref<6x20x21xbf16>
    %from = tile.alloc : memref<20x21xFROM, #shared>
    tile.copy %a to %from : memref<20x21xFROM> to memref<20x21xFROM, #shared>
    tile.copy %from to %o[%c1, %c0, %c0] [1, 20, 21] : memref<20x21xFROM, #shared> to memref<6x20x21xbf16>
    %between = tile.alloc : memref<20x21xbf16, #shared>
    tile.copy %from to %between : memref<20x21xFROM, #shared> to memref<20x21xbf16, #shared>
    tile.copy %between to %o[%c2, %c0, %c0] [1, 20, 21] : memref<20x21xbf16, #shared> to memref<6x20x21xbf16>
    %loaded = tile.load %a[%c0, %m2] pad(%pad) : memref<20x21xFROM> -> tensor<20x24xbf16>
    tile.store %loaded, %o[%c3, %c0, %c0] [1, 20, 24] : tensor<20x24xbf16>, memref<6x20x21xbf16>
    %read = tile.load %from : memref<20x21xFROM, #shared> -> tensor<20x21xbf16>
    tile.store %read, %o[%c4, %c0, %c0] [1, 20, 21] : tensor<20x21xbf16>, memref<6x20x21xbf16>
    %stored = tile.load %a : memref<20x21xFROM> -> tensor<20x21xFROM>
    tile.store %stored, %o[%c5, %c0, %c0] [1, 20, 21] : tensor<20x21xFROM>, memref<6x20x21xbf16>
  }
  return
}

func.func private @to_f8E4M3FN(%a: memref<20x21xFROM>, %o: memref<6x20x21xf8E4M3FN>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %m2 = arith.constant -2 : index
    %pad = arith.constant 1.5 : f8E4M3FN
    %to = tile.alloc : memref<24x24xf8E4M3FN, #shared>
    tile.copy %a[%m2, %c0] pad(%pad) to %to : memref<20x21xFROM> to memref<24x24xf8E4M3FN, #shared>
    tile.copy %to to %o[%c0, %c0, %c0] [1, 24, 24] : memref<24x24xf8E4M3FN, #shared> to memref<6x20x21xf8E4M3FN>
    %from = tile.alloc : memref<20x21xFROM, #shared>
    tile.copy %a to %from : memref<20x21xFROM> to memref<20x21xFROM, #shared>
    tile.copy %from to %o[%c1, %c0, %c0] [1, 20, 21] : memref<20x21xFROM, #shared> to memref<6x20x21xf8E4M3FN>
    %between = tile.alloc : memref<20x21xf8E4M3FN, #shared>
    tile.copy %from to %between : memref<20x21xFROM, #shared> to memref<20x21xf8E4M3FN, #shared>
    tile.copy %between to %o[%c2, %c0, %c0] [1, 20, 21] : memref<20x21xf8E4M3FN, #shared> to memref<6x20x21xf8E4M3FN>
    %loaded = tile.load %a[%c0, %m2] pad(%pad) : memref<20x21xFROM> -> tensor<20x24xf8E4M3FN>
    tile.store %loaded, %o[%c3, %c0, %c0] [1, 20, 24] : tensor<20x24xf8E4M3FN>, memref<6x20x21xf8E4M3FN>
    %read = tile.load %from : memref<20x21xFROM, #shared> -> tensor<20x21xf8E4M3FN>
    tile.store %read, %o[%c4, %c0, %c0] [1, 20, 21] : tensor<20x21xf8E4M3FN>, memref<6x20x21xf8E4M3FN>
    %stored = tile.load %a : memref<20x21xFROM> -> tensor<20x21xFROM>
    tile.store %stored, %o[%c5, %c0, %c0] [1, 20, 21] : tensor<20x21xFROM>, memref<6x20x21xf8E4M3FN>
  }
  return
}

func.func private @to_f8E5M2(%a: memref<20x21xFROM>, %o: memref<6x20x21xf8E5M2>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(THREADS) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %m2 = arith.constant -2 : index
    %pad = arith.constant 1.5 : f8E5M2
    %to = tile.alloc : memref<24x24xf8E5M2, #shared>
    tile.copy %a[%m2, %c0] pad(%pad) to %to : memref<20x21xFROM> to memref<24x24xf8E5M2, #shared>
    tile.copy %to to %o[%c0, %c0, %c0] [1, 24, 24] : memref<24x24xf8E5M2, #shared> to memref<6x20x21xf8E5M2>
    %from = tile.alloc : memref<20x21xFROM, #shared>
    tile.copy %a to %from : memref<20x21xFROM> to memref<20x21xFROM, #shared>
    tile.copy %from to %o[%c1, %c0, %c0] [1, 20, 21] : memref<20x21xFROM, #shared> to memref<6x20x21xf8E5M2>
    %between = tile.alloc : memref<20x21xf8E5M2, #shared>
    tile.copy %from to %between : memref<20x21xFROM, #shared> to memref<20x21xf8E5M2, #shared>
    tile.copy %between to %o[%c2, %c0, %c0] [1, 20, 21] : memref<20x21xf8E5M2, #shared> to memref<6x20x21xf8E5M2>
    %loaded = tile.load %a[%c0, %m2] pad(%pad) : memref<20x21xFROM> -> tensor<20x24xf8E5M2>
    tile.store %loaded, %o[%c3, %c0, %c0] [1, 20, 24] : tensor<20x24xf8E5M2>, memref<6x20x21xf8E5M2>
    %read = tile.load %from : memref<20x21xFROM, #shared> -> tensor<20x21xf8E5M2>
    tile.store %read, %o[%c4, %c0, %c0] [1, 20, 21] : tensor<20x21xf8E5M2>, memref<6x20x21xf8E5M2>
    %stored = tile.load %a : memref<20x21xFROM> -> tensor<20x21xFROM>
    tile.store %stored, %o[%c5, %c0, %c0] [1, 20, 21] : tensor<20x21xFROM>, memref<6x20x21xf8E5M2>
  }
  return
}
