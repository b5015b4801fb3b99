// Rows of which nothing divides the length go along lanes, several of which read a sector
// together, and not a lane each; columns are scanned by lanes with neighbours.
// RUN: tile-run %s --entry=loaded --on=emulator --chip=sm_80 --check --stats=json | FileCheck %s --check-prefix=LOADED
// RUN: tile-run %s --entry=loaded --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=copied --on=emulator --chip=sm_80 --check --stats=json | FileCheck %s --check-prefix=COPIED
// RUN: tile-run %s --entry=copied --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=halves --on=emulator --chip=sm_80 --check --stats=json | FileCheck %s --check-prefix=HALVES
// RUN: tile-run %s --entry=ragged --on=emulator --chip=sm_80 --check --dim=M:64 --dim=N:65
// RUN: tile-run %s --entry=ragged --on=emulator --chip=sm_80 --check --dim=M:17 --dim=N:33
// RUN: tile-run %s --entry=ragged --on=emulator --chip=sm_90a --check --dim=M:1 --dim=N:1
// RUN: tile-run %s --entry=scanned --on=emulator --chip=sm_80 --check --stats=json | FileCheck %s --check-prefix=SCANNED
// RUN: tile-run %s --entry=scanned --on=emulator --chip=sm_90a --check

#shared = #gpu.address_space<workgroup>

// A lane a row would read 8320.
// LOADED: "sectors": 1600,
func.func @loaded(%a: memref<64x65xf32>, %o: memref<64x65xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %t = tile.load %a : memref<64x65xf32> -> tensor<64x65xf32>
    %u = arith.addf %t, %t : tensor<64x65xf32>
    tile.store %u, %o : tensor<64x65xf32>, memref<64x65xf32>
  }
  return
}

// COPIED: "sectors": 2272,
func.func @copied(%a: memref<64x65xf32>, %o: memref<64x65xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %s = tile.alloc : memref<64x65xf32, #shared>
    tile.copy %a to %s : memref<64x65xf32> to memref<64x65xf32, #shared>
    tile.copy %s to %o : memref<64x65xf32, #shared> to memref<64x65xf32>
  }
  return
}

// Of 72 f16 a row has nine accesses of 16 bytes; a lane a row would read 1152.
// HALVES: "sectors": 576,
func.func @halves(%a: memref<64x72xf16>, %o: memref<64x72xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %t = tile.load %a : memref<64x72xf16> -> tensor<64x72xf16>
    %u = arith.addf %t, %t : tensor<64x72xf16>
    tile.store %u, %o : tensor<64x72xf16>, memref<64x72xf16>
  }
  return
}

func.func @ragged(%a: memref<?x?xf32> {tile.dims = ["M", "N"]}, %o: memref<?x?xf32> {tile.dims = ["M", "N"]}) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %t = tile.load %a[%c0, %c0] : memref<?x?xf32> -> tensor<64x65xf32>
    %u = arith.addf %t, %t : tensor<64x65xf32>
    tile.store %u, %o[%c0, %c0] : tensor<64x65xf32>, memref<?x?xf32>
  }
  return
}

// Lanes 2 along a row and 16 along columns, 8 neighbours each: five shuffles for each of a
// thread's four columns. Rows that lie apart would take 40 for each.
// SCANNED: "shuffle": 80
// SCANNED: "sectors": 1024,
func.func @scanned(%a: memref<128x32xf32>, %o: memref<128x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %t = tile.load %a : memref<128x32xf32> -> tensor<128x32xf32>
    %u = tile.scan <add> %t dim 0 : tensor<128x32xf32>
    tile.store %u, %o : tensor<128x32xf32>, memref<128x32xf32>
  }
  return
}
