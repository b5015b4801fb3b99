// Flags that exclude an overflow or a remainder: operands that break one give no value, and
// it is an error to use it; operands that keep it are computed as without.
// DEFINE: %{entry} = add_nsw
// DEFINE: %{run} = tile-run %s --on=reference --entry=%{entry}
// RUN: not %{run} --data='0:values(2147483647)' --data='1:values(1)' 2>&1 | FileCheck %s --check-prefixes=STORE,SIGNED
// RUN: tile-run %s --chip=sm_80 --on=emulator --check --entry=%{entry} --data='0:values(2147483646)' --data='1:values(1)'
// REDEFINE: %{entry} = add_nuw
// RUN: not %{run} --data='0:values(-1)' --data='1:values(1)' 2>&1 | FileCheck %s --check-prefixes=STORE,UNSIGNED
// RUN: tile-run %s --chip=sm_80 --on=emulator --check --entry=%{entry} --data='0:values(2147483647)' --data='1:values(1)'
// REDEFINE: %{entry} = sub_nsw
// RUN: not %{run} --data='0:values(-2147483648)' --data='1:values(1)' 2>&1 | FileCheck %s --check-prefixes=STORE,SIGNED
// RUN: tile-run %s --chip=sm_80 --on=emulator --check --entry=%{entry} --data='0:values(0)' --data='1:values(1)'
// REDEFINE: %{entry} = sub_nuw
// RUN: not %{run} --data='0:values(0)' --data='1:values(1)' 2>&1 | FileCheck %s --check-prefixes=STORE,UNSIGNED
// RUN: tile-run %s --chip=sm_80 --on=emulator --check --entry=%{entry} --data='0:values(-2147483648)' --data='1:values(1)'
// REDEFINE: %{entry} = mul_nsw
// RUN: not %{run} --data='0:values(65536)' --data='1:values(32768)' 2>&1 | FileCheck %s --check-prefixes=STORE,SIGNED
// RUN: tile-run %s --chip=sm_80 --on=emulator --check --entry=%{entry} --data='0:values(65536)' --data='1:values(-32768)'
// REDEFINE: %{entry} = mul_nuw
// RUN: not %{run} --data='0:values(65536)' --data='1:values(65536)' 2>&1 | FileCheck %s --check-prefixes=STORE,UNSIGNED
// RUN: tile-run %s --chip=sm_80 --on=emulator --check --entry=%{entry} --data='0:values(65536)' --data='1:values(32768)'
// REDEFINE: %{entry} = shl_nsw
// RUN: not %{run} --data='0:values(1)' --data='1:values(31)' 2>&1 | FileCheck %s --check-prefixes=STORE,SIGNED
// RUN: tile-run %s --chip=sm_80 --on=emulator --check --entry=%{entry} --data='0:values(1)' --data='1:values(30)'
// REDEFINE: %{entry} = shl_nuw
// RUN: not %{run} --data='0:values(2)' --data='1:values(31)' 2>&1 | FileCheck %s --check-prefixes=STORE,UNSIGNED
// RUN: tile-run %s --chip=sm_80 --on=emulator --check --entry=%{entry} --data='0:values(1)' --data='1:values(31)'
// REDEFINE: %{entry} = div_exact
// RUN: not %{run} --data='0:values(-7)' --data='1:values(2)' 2>&1 | FileCheck %s --check-prefixes=STORE,REMAINDER
// RUN: tile-run %s --chip=sm_80 --on=emulator --check --entry=%{entry} --data='0:values(-6)' --data='1:values(2)'
// REDEFINE: %{entry} = udiv_exact
// RUN: not %{run} --data='0:values(-1)' --data='1:values(2)' 2>&1 | FileCheck %s --check-prefixes=STORE,REMAINDER
// RUN: tile-run %s --chip=sm_80 --on=emulator --check --entry=%{entry} --data='0:values(-2)' --data='1:values(2)'
// REDEFINE: %{entry} = shr_exact
// RUN: not %{run} --data='0:values(-4)' --data='1:values(3)' 2>&1 | FileCheck %s --check-prefixes=STORE,REMAINDER
// RUN: tile-run %s --chip=sm_80 --on=emulator --check --entry=%{entry} --data='0:values(-8)' --data='1:values(3)'
// REDEFINE: %{entry} = ushr_exact
// RUN: not %{run} --data='0:values(4)' --data='1:values(3)' 2>&1 | FileCheck %s --check-prefixes=STORE,REMAINDER
// RUN: tile-run %s --chip=sm_80 --on=emulator --check --entry=%{entry} --data='0:values(0)' --data='1:values(3)'
// REDEFINE: %{entry} = trunc_nsw
// RUN: not %{run} --data='0:values(128)' 2>&1 | FileCheck %s --check-prefixes=STORE,SIGNED
// RUN: tile-run %s --chip=sm_80 --on=emulator --check --entry=%{entry} --data='0:values(-128)'
// REDEFINE: %{entry} = trunc_nuw
// RUN: not %{run} --data='0:values(256)' 2>&1 | FileCheck %s --check-prefixes=STORE,UNSIGNED
// RUN: tile-run %s --chip=sm_80 --on=emulator --check --entry=%{entry} --data='0:values(255)'

// STORE: error: stores an element (0 of 64) that depends on
// SIGNED-SAME: an overflow that 'overflow<nsw>' excludes
// UNSIGNED-SAME: an overflow that 'overflow<nuw>' excludes
// REMAINDER-SAME: a remainder that 'exact' excludes
// STORE: note: it is computed here

func.func @add_nsw(%x: memref<64xi32>, %y: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%i) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %b = tile.load %y : memref<64xi32> -> tensor<64xi32>
    %r = arith.addi %a, %b overflow<nsw> : tensor<64xi32>
    tile.store %r, %x : tensor<64xi32>, memref<64xi32>
  }
  return
}

func.func @add_nuw(%x: memref<64xi32>, %y: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%i) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %b = tile.load %y : memref<64xi32> -> tensor<64xi32>
    %r = arith.addi %a, %b overflow<nuw> : tensor<64xi32>
    tile.store %r, %x : tensor<64xi32>, memref<64xi32>
  }
  return
}

func.func @sub_nsw(%x: memref<64xi32>, %y: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%i) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %b = tile.load %y : memref<64xi32> -> tensor<64xi32>
    %r = arith.subi %a, %b overflow<nsw> : tensor<64xi32>
    tile.store %r, %x : tensor<64xi32>, memref<64xi32>
  }
  return
}

func.func @sub_nuw(%x: memref<64xi32>, %y: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%i) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %b = tile.load %y : memref<64xi32> -> tensor<64xi32>
    %r = arith.subi %a, %b overflow<nuw> : tensor<64xi32>
    tile.store %r, %x : tensor<64xi32>, memref<64xi32>
  }
  return
}

func.func @mul_nsw(%x: memref<64xi32>, %y: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%i) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %b = tile.load %y : memref<64xi32> -> tensor<64xi32>
    %r = arith.muli %a, %b overflow<nsw> : tensor<64xi32>
    tile.store %r, %x : tensor<64xi32>, memref<64xi32>
  }
  return
}

func.func @mul_nuw(%x: memref<64xi32>, %y: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%i) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %b = tile.load %y : memref<64xi32> -> tensor<64xi32>
    %r = arith.muli %a, %b overflow<nuw> : tensor<64xi32>
    tile.store %r, %x : tensor<64xi32>, memref<64xi32>
  }
  return
}

func.func @shl_nsw(%x: memref<64xi32>, %y: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%i) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %b = tile.load %y : memref<64xi32> -> tensor<64xi32>
    %r = arith.shli %a, %b overflow<nsw> : tensor<64xi32>
    tile.store %r, %x : tensor<64xi32>, memref<64xi32>
  }
  return
}

func.func @shl_nuw(%x: memref<64xi32>, %y: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%i) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %b = tile.load %y : memref<64xi32> -> tensor<64xi32>
    %r = arith.shli %a, %b overflow<nuw> : tensor<64xi32>
    tile.store %r, %x : tensor<64xi32>, memref<64xi32>
  }
  return
}

func.func @div_exact(%x: memref<64xi32>, %y: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%i) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %b = tile.load %y : memref<64xi32> -> tensor<64xi32>
    %r = arith.divsi %a, %b exact : tensor<64xi32>
    tile.store %r, %x : tensor<64xi32>, memref<64xi32>
  }
  return
}

func.func @udiv_exact(%x: memref<64xi32>, %y: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%i) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %b = tile.load %y : memref<64xi32> -> tensor<64xi32>
    %r = arith.divui %a, %b exact : tensor<64xi32>
    tile.store %r, %x : tensor<64xi32>, memref<64xi32>
  }
  return
}

func.func @shr_exact(%x: memref<64xi32>, %y: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%i) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %b = tile.load %y : memref<64xi32> -> tensor<64xi32>
    %r = arith.shrsi %a, %b exact : tensor<64xi32>
    tile.store %r, %x : tensor<64xi32>, memref<64xi32>
  }
  return
}

func.func @ushr_exact(%x: memref<64xi32>, %y: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%i) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %b = tile.load %y : memref<64xi32> -> tensor<64xi32>
    %r = arith.shrui %a, %b exact : tensor<64xi32>
    tile.store %r, %x : tensor<64xi32>, memref<64xi32>
  }
  return
}

func.func @trunc_nsw(%x: memref<64xi32>, %y: memref<64xi8>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%i) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %r = arith.trunci %a overflow<nsw> : tensor<64xi32> to tensor<64xi8>
    tile.store %r, %y : tensor<64xi8>, memref<64xi8>
  }
  return
}

func.func @trunc_nuw(%x: memref<64xi32>, %y: memref<64xi8>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%i) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %r = arith.trunci %a overflow<nuw> : tensor<64xi32> to tensor<64xi8>
    tile.store %r, %y : tensor<64xi8>, memref<64xi8>
  }
  return
}
