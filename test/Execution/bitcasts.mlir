// tile.bitcast from every element type of whole bytes to every other: the last dimension
// scales with the width, the lowest bits come first.
// DEFINE: %{from} =
// DEFINE: %{columns} =
// DEFINE: %{run} = sed -e 's/FROM/%{columns}x%{from}/g' %s | tile-run - --on=emulator --check --rtol=0 --atol=0
// REDEFINE: %{from} = i8
// REDEFINE: %{columns} = 48
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = i16
// REDEFINE: %{columns} = 24
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = i32
// REDEFINE: %{columns} = 12
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = i64
// REDEFINE: %{columns} = 6
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = f16
// REDEFINE: %{columns} = 24
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = bf16
// REDEFINE: %{columns} = 24
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = f32
// REDEFINE: %{columns} = 12
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = f64
// REDEFINE: %{columns} = 6
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = f8E4M3FN
// REDEFINE: %{columns} = 48
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = f8E5M2
// REDEFINE: %{columns} = 48
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a

func.func @all(%a: memref<20xFROM>,
    %i8: memref<20x48xi8>,
    %i16: memref<20x24xi16>,
    %i32: memref<20x12xi32>,
    %i64: memref<20x6xi64>,
    %f16: memref<20x24xf16>,
    %bf16: memref<20x24xbf16>,
    %f32: memref<20x12xf32>,
    %f64: memref<20x6xf64>,
    %f8E4M3FN: memref<20x48xf8E4M3FN>,
    %f8E5M2: memref<20x48xf8E5M2>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(96) {
    %t = tile.load %a : memref<20xFROM> -> tensor<20xFROM>
    %0 = tile.bitcast %t : tensor<20xFROM> -> tensor<20x48xi8>
    tile.store %0, %i8 : tensor<20x48xi8>, memref<20x48xi8>
    %1 = tile.bitcast %t : tensor<20xFROM> -> tensor<20x24xi16>
    tile.store %1, %i16 : tensor<20x24xi16>, memref<20x24xi16>
    %2 = tile.bitcast %t : tensor<20xFROM> -> tensor<20x12xi32>
    tile.store %2, %i32 : tensor<20x12xi32>, memref<20x12xi32>
    %3 = tile.bitcast %t : tensor<20xFROM> -> tensor<20x6xi64>
    tile.store %3, %i64 : tensor<20x6xi64>, memref<20x6xi64>
    %4 = tile.bitcast %t : tensor<20xFROM> -> tensor<20x24xf16>
    tile.store %4, %f16 : tensor<20x24xf16>, memref<20x24xf16>
    %5 = tile.bitcast %t : tensor<20xFROM> -> tensor<20x24xbf16>
    tile.store %5, %bf16 : tensor<20x24xbf16>, memref<20x24xbf16>
    %6 = tile.bitcast %t : tensor<20xFROM> -> tensor<20x12xf32>
    tile.store %6, %f32 : tensor<20x12xf32>, memref<20x12xf32>
    %7 = tile.bitcast %t : tensor<20xFROM> -> tensor<20x6xf64>
    tile.store %7, %f64 : tensor<20x6xf64>, memref<20x6xf64>
    %8 = tile.bitcast %t : tensor<20xFROM> -> tensor<20x48xf8E4M3FN>
    tile.store %8, %f8E4M3FN : tensor<20x48xf8E4M3FN>, memref<20x48xf8E4M3FN>
    %9 = tile.bitcast %t : tensor<20xFROM> -> tensor<20x48xf8E5M2>
    tile.store %9, %f8E5M2 : tensor<20x48xf8E5M2>, memref<20x48xf8E5M2>
  }
  return
}
