// Elementwise arith on fragments, every element type that computes, ragged sizes.
// RUN: tile-run %s --entry=floats --on=emulator --chip=sm_80 --check --dim=N:1000
// RUN: tile-run %s --entry=floats --on=emulator --chip=sm_90a --check --dim=N:1000
// RUN: tile-run %s --entry=floats --on=emulator --chip=sm_90a --check --dim=N:1024
// RUN: tile-run %s --entry=floats --on=emulator --chip=sm_80 --check --dim=N:1024
// RUN: tile-run %s --entry=halves --on=emulator --chip=sm_80 --check --dim=N:257
// RUN: tile-run %s --entry=halves --on=emulator --chip=sm_90a --check --dim=N:257
// RUN: tile-run %s --entry=halves --on=emulator --chip=sm_90a --check --dim=N:256
// RUN: tile-run %s --entry=halves --on=emulator --chip=sm_80 --check --dim=N:256
// RUN: tile-run %s --entry=brains --on=emulator --chip=sm_80 --check --dim=N:300
// RUN: tile-run %s --entry=brains --on=emulator --chip=sm_90a --check --dim=N:300
// RUN: tile-run %s --entry=doubles --on=emulator --chip=sm_80 --check --dim=N:100
// RUN: tile-run %s --entry=doubles --on=emulator --chip=sm_90a --check --dim=N:100
// RUN: tile-run %s --entry=integers --on=emulator --chip=sm_80 --check --dim=N:333 --data=integers(-100,100)
// RUN: tile-run %s --entry=integers --on=emulator --chip=sm_90a --check --dim=N:333 --data=integers(-100,100)
// RUN: tile-run %s --entry=bytes --on=emulator --chip=sm_80 --check --dim=N:333 --data=integers(-128,127)
// RUN: tile-run %s --entry=bytes --on=emulator --chip=sm_90a --check --dim=N:333 --data=integers(-128,127)
// RUN: tile-run %s --entry=longs --on=emulator --chip=sm_90a --check --dim=N:129 --data=integers(-1000,1000)
// RUN: tile-run %s --entry=longs --on=emulator --chip=sm_80 --check --dim=N:129 --data=integers(-1000,1000)
// RUN: tile-run %s --entry=zeros --on=emulator --check "--data=0:values(0,-0.0,1,-1,nan)"
// RUN: tile-run %s --entry=both_zeros --on=emulator --check "--data=0:values(0,-0.0,1,-1)" "--data=1:values(-0.0,0,2)"
// RUN: tile-opt %s --emit=ptx --chip=sm_80 | FileCheck %s --check-prefix=ZEROS

func.func @floats(%a: memref<?xf32> {tile.dims = ["N"]}, %b: memref<?xf32> {tile.dims = ["N"]},
                  %c: memref<?xf32> {tile.dims = ["N"]}) {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %g = arith.ceildivsi %n, %c256 : index
  tile.launch blocks(%b0) in (%g) threads(64) {
    %t = arith.constant 256 : index
    %i = arith.muli %b0, %t : index
    %x = tile.load %a[%i] : memref<?xf32> -> tensor<256xf32>
    %y = tile.load %b[%i] : memref<?xf32> -> tensor<256xf32>
    %two = arith.constant dense<2.0> : tensor<256xf32>
    %0 = arith.mulf %x, %two : tensor<256xf32>
    %1 = arith.addf %0, %y : tensor<256xf32>
    %2 = arith.subf %1, %x : tensor<256xf32>
    %yy = arith.mulf %y, %y : tensor<256xf32>
    %one = arith.constant dense<1.0> : tensor<256xf32>
    %d = arith.addf %yy, %one : tensor<256xf32>
    %3 = arith.divf %2, %d : tensor<256xf32>
    %4 = arith.negf %3 : tensor<256xf32>
    %5 = arith.maximumf %4, %x : tensor<256xf32>
    %6 = arith.minimumf %5, %two : tensor<256xf32>
    %p = arith.cmpf olt, %x, %y : tensor<256xf32>
    %7 = arith.select %p, %6, %3 : tensor<256xi1>, tensor<256xf32>
    tile.store %7, %c[%i] : tensor<256xf32>, memref<?xf32>
  }
  return
}

func.func @halves(%a: memref<?xf16> {tile.dims = ["N"]}, %b: memref<?xf16> {tile.dims = ["N"]},
                  %c: memref<?xf16> {tile.dims = ["N"]}) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %n = memref.dim %a, %c0 : memref<?xf16>
  %g = arith.ceildivsi %n, %c128 : index
  tile.launch blocks(%b0) in (%g) threads(32) {
    %t = arith.constant 128 : index
    %i = arith.muli %b0, %t : index
    %x = tile.load %a[%i] : memref<?xf16> -> tensor<128xf16>
    %y = tile.load %b[%i] : memref<?xf16> -> tensor<128xf16>
    %0 = arith.mulf %x, %y : tensor<128xf16>
    %1 = arith.addf %0, %y : tensor<128xf16>
    %2 = arith.maxnumf %1, %x : tensor<128xf16>
    tile.store %2, %c[%i] : tensor<128xf16>, memref<?xf16>
  }
  return
}

func.func @brains(%a: memref<?xbf16> {tile.dims = ["N"]}, %b: memref<?xbf16> {tile.dims = ["N"]},
                  %c: memref<?xbf16> {tile.dims = ["N"]}) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %n = memref.dim %a, %c0 : memref<?xbf16>
  %g = arith.ceildivsi %n, %c128 : index
  tile.launch blocks(%b0) in (%g) threads(96) {
    %t = arith.constant 128 : index
    %i = arith.muli %b0, %t : index
    %x = tile.load %a[%i] : memref<?xbf16> -> tensor<128xbf16>
    %y = tile.load %b[%i] : memref<?xbf16> -> tensor<128xbf16>
    %0 = arith.mulf %x, %y : tensor<128xbf16>
    %1 = arith.subf %0, %y : tensor<128xbf16>
    tile.store %1, %c[%i] : tensor<128xbf16>, memref<?xbf16>
  }
  return
}

func.func @doubles(%a: memref<?xf64> {tile.dims = ["N"]}, %b: memref<?xf64> {tile.dims = ["N"]}) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  %g = arith.ceildivsi %n, %c64 : index
  tile.launch blocks(%b0) in (%g) threads(32) {
    %t = arith.constant 64 : index
    %i = arith.muli %b0, %t : index
    %x = tile.load %a[%i] : memref<?xf64> -> tensor<64xf64>
    %0 = arith.mulf %x, %x : tensor<64xf64>
    %1 = math.fma %x, %x, %0 : tensor<64xf64>
    %2 = math.sqrt %1 : tensor<64xf64>
    tile.store %2, %b[%i] : tensor<64xf64>, memref<?xf64>
  }
  return
}

func.func @integers(%a: memref<?xi32> {tile.dims = ["N"]}, %b: memref<?xi32> {tile.dims = ["N"]},
                    %c: memref<?xi32> {tile.dims = ["N"]}) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %g = arith.ceildivsi %n, %c128 : index
  tile.launch blocks(%b0) in (%g) threads(128) {
    %t = arith.constant 128 : index
    %i = arith.muli %b0, %t : index
    %x = tile.load %a[%i] : memref<?xi32> -> tensor<128xi32>
    %y = tile.load %b[%i] : memref<?xi32> -> tensor<128xi32>
    %seven = arith.constant dense<7> : tensor<128xi32>
    %three = arith.constant dense<3> : tensor<128xi32>
    %0 = arith.muli %x, %y : tensor<128xi32>
    %1 = arith.addi %0, %x : tensor<128xi32>
    %2 = arith.divsi %1, %seven : tensor<128xi32>
    %3 = arith.remsi %1, %seven : tensor<128xi32>
    %4 = arith.xori %2, %3 : tensor<128xi32>
    %5 = arith.shli %4, %three : tensor<128xi32>
    %6 = arith.maxsi %5, %y : tensor<128xi32>
    %p = arith.cmpi slt, %x, %y : tensor<128xi32>
    %7 = arith.select %p, %6, %4 : tensor<128xi1>, tensor<128xi32>
    tile.store %7, %c[%i] : tensor<128xi32>, memref<?xi32>
  }
  return
}

func.func @bytes(%a: memref<?xi8> {tile.dims = ["N"]}, %b: memref<?xi8> {tile.dims = ["N"]}) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %n = memref.dim %a, %c0 : memref<?xi8>
  %g = arith.ceildivsi %n, %c128 : index
  tile.launch blocks(%b0) in (%g) threads(32) {
    %t = arith.constant 128 : index
    %i = arith.muli %b0, %t : index
    %x = tile.load %a[%i] : memref<?xi8> -> tensor<128xi8>
    %0 = arith.addi %x, %x : tensor<128xi8>
    %w = arith.extsi %0 : tensor<128xi8> to tensor<128xi32>
    %k = arith.constant dense<3> : tensor<128xi32>
    %m = arith.muli %w, %k : tensor<128xi32>
    %1 = arith.trunci %m : tensor<128xi32> to tensor<128xi8>
    %2 = arith.minui %1, %x : tensor<128xi8>
    tile.store %2, %b[%i] : tensor<128xi8>, memref<?xi8>
  }
  return
}

func.func @longs(%a: memref<?xi64> {tile.dims = ["N"]}, %b: memref<?xi64> {tile.dims = ["N"]}) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %a, %c0 : memref<?xi64>
  %g = arith.ceildivsi %n, %c64 : index
  tile.launch blocks(%b0) in (%g) threads(64) {
    %t = arith.constant 64 : index
    %i = arith.muli %b0, %t : index
    %x = tile.load %a[%i] : memref<?xi64> -> tensor<64xi64>
    %0 = arith.muli %x, %x : tensor<64xi64>
    %1 = arith.subi %0, %x : tensor<64xi64>
    tile.store %1, %b[%i] : tensor<64xi64>, memref<?xi64>
  }
  return
}

// What a comparison selects is not `max` or `min` where those have another zero, and
// is where they have the same.
// ZEROS-LABEL: .entry zeros_kernel(
// ZEROS-DAG: max.f32
// ZEROS-DAG: selp.b32
// ZEROS-NOT: min.f32
// ZEROS-LABEL: .entry both_zeros_kernel(
// ZEROS-NOT: max.f32
func.func @zeros(%a: memref<128xf32>, %o: memref<128xf32>, %p: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @zeros_kernel blocks(%b) in (%c1) threads(128) {
    %x = tile.load %a : memref<128xf32> -> tensor<128xf32>
    %zero = arith.constant dense<0.0> : tensor<128xf32>
    %isAbove = arith.cmpf ogt, %x, %zero : tensor<128xf32>
    %above = arith.select %isAbove, %x, %zero : tensor<128xi1>, tensor<128xf32>
    tile.store %above, %o : tensor<128xf32>, memref<128xf32>
    %isBelow = arith.cmpf olt, %x, %zero : tensor<128xf32>
    %below = arith.select %isBelow, %x, %zero : tensor<128xi1>, tensor<128xf32>
    tile.store %below, %p : tensor<128xf32>, memref<128xf32>
  }
  return
}

func.func @both_zeros(%a: memref<128xf32>, %b: memref<128xf32>, %o: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @both_zeros_kernel blocks(%i) in (%c1) threads(128) {
    %x = tile.load %a : memref<128xf32> -> tensor<128xf32>
    %y = tile.load %b : memref<128xf32> -> tensor<128xf32>
    %isAbove = arith.cmpf ogt, %x, %y fastmath<nnan> : tensor<128xf32>
    %larger = arith.select %isAbove, %x, %y : tensor<128xi1>, tensor<128xf32>
    tile.store %larger, %o : tensor<128xf32>, memref<128xf32>
  }
  return
}
