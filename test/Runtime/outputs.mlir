// Files are opened before a run that would take minutes; a run that fails leaves an
// older file as it is and nothing beside it.
// RUN: rm -rf %t && mkdir %t
// DEFINE: %{slow} = timeout 60 tile-run %s --entry=slow --on=emulator
// RUN: not %{slow} --out=0:%t/no/file.npy 2>&1 | FileCheck %s --check-prefix=OUT
// OUT: error: cannot write '{{.*}}no/file.npy': No such file or directory
// RUN: not %{slow} --out=0:%t 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: cannot write '{{.*}}': Is a directory
// RUN: not %{slow} --expect=0:%t/missing.npy 2>&1 | FileCheck %s --check-prefix=EXPECT
// EXPECT: error: cannot read '{{.*}}missing.npy': No such file or directory

// RUN: tile-run %s --entry=fill --on=emulator --out=0:%t/old.npy
// RUN: cp %t/old.npy %t/copy.npy
// RUN: not tile-run %s --entry=fails --on=emulator --out=0:%t/old.npy 2>&1 | FileCheck %s --check-prefix=FAILS
// FAILS: error: assertion failed: never
// RUN: cmp %t/old.npy %t/copy.npy
// RUN: ls %t | FileCheck %s --check-prefix=LIST
// LIST: copy.npy
// LIST-NEXT: old.npy
// LIST-NOT: {{.}}

// RUN: not tile-run %s --entry=fill --on=emulator --out=0:/dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: error: cannot write '/dev/full': No space left on device
// RUN: not sh -c 'tile-run %s --entry=fill --on=emulator > /dev/full' 2>&1 | FileCheck %s --check-prefix=STANDARD
// STANDARD: error: cannot write standard output: No space left on device

// RUN: not timeout 60 ptx-run %S/Inputs/scale.ptx --grid=8 --block=128 --arg=@%t/old.npy:%t/no/b.npy --arg=f32:2 --arg=u32:4 2>&1 | FileCheck %s --check-prefix=PTX
// PTX: error: argument 0 (--arg=@{{.*}}): cannot write '{{.*}}no/b.npy': No such file or directory
// RUN: not timeout 60 ptx-run %S/Inputs/scale.ptx --grid=8 --block=128 --arg=@%t/old.npy --arg=f32:2 --arg=u32:4 --expect=0:%t/missing.npy 2>&1 | FileCheck %s --check-prefix=PTXEXPECT
// PTXEXPECT: error: --expect: cannot read '{{.*}}missing.npy': No such file or directory
func.func @slow(%o: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %end = arith.constant 1000000000000 : i64
    scf.for %i = %zero to %end step %one : i64 {
      %v = arith.sitofp %i : i64 to f32
      memref.store %v, %o[%c0] : memref<4xf32>
    }
  }
  return
}

func.func @fill(%o: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %t = arith.constant dense<3.0> : tensor<4xf32>
    tile.store %t, %o : tensor<4xf32>, memref<4xf32>
  }
  return
}

func.func @fails(%o: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %false = arith.constant false
    tile.assert %false, "never"
  }
  return
}
