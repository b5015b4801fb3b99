// Scans that warps share: of parts in one piece, of extents that warps do not divide, whose
// last part is filled up in either direction, of rows with padding, and of a layout in which
// there are too many boxes for totals.
// RUN: tile-run %s --entry=long --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=long --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=integers --on=emulator --chip=sm_80 --check --data=integers(-9,9)
// RUN: tile-run %s --entry=integers --on=emulator --chip=sm_90a --check --check-stages --data=integers(-9,9)
// RUN: tile-run %s --entry=ragged --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=ragged --on=emulator --chip=sm_90a --check --check-stages
// RUN: tile-run %s --entry=kinds --on=emulator --chip=sm_80 --check --data=values(nan,-1,-2,inf,-3)
// RUN: tile-run %s --entry=kinds --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=unsigned --on=emulator --chip=sm_80 --check --data=integers(1,9)
// RUN: tile-run %s --entry=unsigned --on=emulator --chip=sm_90a --check --data=integers(1,9)
// RUN: tile-run %s --entry=half --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=half --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=rows --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=rows --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=boxes --on=emulator --chip=sm_80 --check --check-stages
// RUN: tile-run %s --entry=boxes --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=loose --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=loose --on=emulator --chip=sm_90a --check --check-stages
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s
// CHECK: kernel long_kernel
// CHECK: 0 bytes of spills
// CHECK: shared 32 bytes
// CHECK-NOT: ScanAcrossWarps
// CHECK: kernel ragged_kernel
// CHECK: [5000], register = [4 : (1), 10 : (128)], lane = [32 : (4)], warp = [4 : (1280)]
// CHECK-NOT: ScanAcrossWarps
// CHECK: kernel kinds_0
// CHECK: kernel rows_kernel
// CHECK: shared 0 bytes
// CHECK-NOT: ScanAcrossWarps
// CHECK: kernel boxes_kernel
// CHECK: ScanAcrossWarps: {{.*}} scanned as [512], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (128)]

func.func @long(%x: memref<16384xf32>, %o: memref<16384xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @long_kernel blocks(%b) in (%c1) threads(256) {
    %t = tile.load %x : memref<16384xf32> -> tensor<16384xf32>
    %s = tile.scan <add> %t dim 0 : tensor<16384xf32>
    tile.store %s, %o : tensor<16384xf32>, memref<16384xf32>
  }
  return
}

func.func @integers(%x: memref<16384xi32>, %o: memref<16384xi32>, %y: memref<3000xi64>, %p: memref<3000xi64>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(256) {
    %t = tile.load %x : memref<16384xi32> -> tensor<16384xi32>
    %s = tile.scan <add> %t dim 0 {exclusive} : tensor<16384xi32>
    tile.store %s, %o : tensor<16384xi32>, memref<16384xi32>
    %u = tile.load %y : memref<3000xi64> -> tensor<3000xi64>
    %v = tile.scan <maxsi> %u dim 0 {reverse} : tensor<3000xi64>
    tile.store %v, %p : tensor<3000xi64>, memref<3000xi64>
  }
  return
}

func.func @ragged(%x: memref<5000xf32>, %o: memref<5000xf32>, %p: memref<5000xf32>, %y: memref<1000xf64>, %q: memref<1000xf64>) {
  %c1 = arith.constant 1 : index
  tile.launch @ragged_kernel blocks(%b) in (%c1) threads(128) {
    %t = tile.load %x : memref<5000xf32> -> tensor<5000xf32>
    %s = tile.scan <add> %t dim 0 : tensor<5000xf32>
    tile.store %s, %o : tensor<5000xf32>, memref<5000xf32>
    %r = tile.scan <add> %t dim 0 {reverse, exclusive} : tensor<5000xf32>
    tile.store %r, %p : tensor<5000xf32>, memref<5000xf32>
    %u = tile.load %y : memref<1000xf64> -> tensor<1000xf64>
    %v = tile.scan <add> %u dim 0 {reverse} : tensor<1000xf64>
    tile.store %v, %q : tensor<1000xf64>, memref<1000xf64>
  }
  return
}

// What fills up is neutral to each kind.
func.func @kinds(%x: memref<1001xf32>, %o: memref<4x1001xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(96) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %one = arith.constant 1 : index
    %t = tile.load %x : memref<1001xf32> -> tensor<1001xf32>
    %0 = tile.scan <maximumf> %t dim 0 {reverse} : tensor<1001xf32>
    %1 = tile.scan <minimumf> %t dim 0 {reverse} : tensor<1001xf32>
    %2 = tile.scan <maxnumf> %t dim 0 {reverse} : tensor<1001xf32>
    %3 = tile.scan <maximumf> %t dim 0 {exclusive} : tensor<1001xf32>
    tile.store %0, %o[%c0, %c0] [1, 1001] : tensor<1001xf32>, memref<4x1001xf32>
    tile.store %1, %o[%one, %c0] [1, 1001] : tensor<1001xf32>, memref<4x1001xf32>
    tile.store %2, %o[%c2, %c0] [1, 1001] : tensor<1001xf32>, memref<4x1001xf32>
    tile.store %3, %o[%c3, %c0] [1, 1001] : tensor<1001xf32>, memref<4x1001xf32>
  }
  return
}

func.func @unsigned(%x: memref<601xi16>, %o: memref<5x601xi16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1 : index
    %t = tile.load %x : memref<601xi16> -> tensor<601xi16>
    %0 = tile.scan <minui> %t dim 0 {reverse} : tensor<601xi16>
    %1 = tile.scan <and> %t dim 0 {reverse} : tensor<601xi16>
    %2 = tile.scan <mul> %t dim 0 {reverse} : tensor<601xi16>
    %3 = tile.scan <minsi> %t dim 0 {reverse} : tensor<601xi16>
    %4 = tile.scan <xor> %t dim 0 {reverse} : tensor<601xi16>
    tile.store %0, %o[%c0, %c0] [1, 601] : tensor<601xi16>, memref<5x601xi16>
    tile.store %1, %o[%one, %c0] [1, 601] : tensor<601xi16>, memref<5x601xi16>
    tile.store %2, %o[%c2, %c0] [1, 601] : tensor<601xi16>, memref<5x601xi16>
    tile.store %3, %o[%c3, %c0] [1, 601] : tensor<601xi16>, memref<5x601xi16>
    tile.store %4, %o[%c4, %c0] [1, 601] : tensor<601xi16>, memref<5x601xi16>
  }
  return
}

func.func @half(%x: memref<3000xf16>, %o: memref<3000xf16>, %y: memref<700xindex>, %p: memref<700xindex>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %t = tile.load %x : memref<3000xf16> -> tensor<3000xf16>
    %s = tile.scan <add> %t dim 0 {reverse} : tensor<3000xf16>
    tile.store %s, %o : tensor<3000xf16>, memref<3000xf16>
    %u = tile.load %y : memref<700xindex> -> tensor<700xindex>
    %v = tile.scan <minsi> %u dim 0 {reverse} : tensor<700xindex>
    tile.store %v, %p : tensor<700xindex>, memref<700xindex>
  }
  return
}

// Warps have rows, which lanes do not divide.
func.func @rows(%x: memref<64x513xf32>, %o: memref<64x513xf32>, %y: memref<4x5000xf32>, %p: memref<4x5000xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @rows_kernel blocks(%b) in (%c1) threads(128) {
    %t = tile.load %x : memref<64x513xf32> -> tensor<64x513xf32>
    %s = tile.scan <add> %t dim 1 : tensor<64x513xf32>
    tile.store %s, %o : tensor<64x513xf32>, memref<64x513xf32>
    %u = tile.load %y : memref<4x5000xf32> -> tensor<4x5000xf32>
    %v = tile.scan <add> %u dim 1 {reverse} : tensor<4x5000xf32>
    tile.store %v, %p : tensor<4x5000xf32>, memref<4x5000xf32>
  }
  return
}

// Boxes of one element each: what moves is scanned in parts of warps.
#fine = #tile.fragment<[512], register = [4 : (128)], lane = [32 : (4)], warp = [4 : (1)]>
func.func @boxes(%x: memref<512xf32>, %o: memref<512xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @boxes_kernel blocks(%b) in (%c1) threads(128) {
    %t = tile.load %x : memref<512xf32> -> tensor<512xf32, #fine>
    %s = tile.scan <add> %t dim 0 {reverse, exclusive} : tensor<512xf32, #fine>
    tile.store %s, %o : tensor<512xf32, #fine>, memref<512xf32>
  }
  return
}

// Registers that hold padding alone.
#loose = #tile.fragment<[520], register = [4 : (1), 3 : (512)], lane = [32 : (4)], warp = [4 : (128)]>
func.func @loose(%x: memref<520xf32>, %o: memref<520xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @loose_kernel blocks(%b) in (%c1) threads(128) {
    %t = tile.load %x : memref<520xf32> -> tensor<520xf32, #loose>
    %s = tile.scan <add> %t dim 0 {reverse} : tensor<520xf32, #loose>
    tile.store %s, %o : tensor<520xf32, #loose>, memref<520xf32>
  }
  return
}
