// The command line of tile-run: what is missing or wrong is said in full.
// RUN: not tile-run %s --on=reference 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not tile-run %s --entry=missing --on=reference 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tile-run %s --entry=named --on=reference 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not tile-run %s --entry=named --on=reference --dim=N:8 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: not tile-run %s --entry=named --on=reference --dim=Q:8 2>&1 | FileCheck %s --check-prefix=DIM
// RUN: not tile-run %s --entry=named --on=reference --shape=0:8x8 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not tile-run %s --entry=named --on=reference --shape=7:8 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not tile-run %s --entry=named --on=reference --shape=0:8 --shape=1:9 --scalar=2:1 2>&1 | FileCheck %s --check-prefix=EQUAL
// RUN: not tile-run %s --entry=named --on=nowhere 2>&1 | FileCheck %s --check-prefix=EXECUTOR
// RUN: not tile-run %s --entry=named --data=gauss 2>&1 | FileCheck %s --check-prefix=DATA
// RUN: not tile-run %s --entry=named --data=integers(1) 2>&1 | FileCheck %s --check-prefix=PARAMETERS
// RUN: not tile-run %s --entry=named --speed=9 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: env CUDA_VISIBLE_DEVICES=-1 not tile-run %s --entry=other --on=cuda 2>&1 | FileCheck %s --check-prefix=CUDA
// RUN: not tile-run %s.nothing --on=reference 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: tile-run --help | FileCheck %s --check-prefix=HELP

// ENTRY: error: which function to run is missing; give it by --entry=NAME. The file has named, other
// UNKNOWN: error: there is no function 'missing' with a body; the file has named, other
// SIZE: error: the size of dimension 0 of argument 0 is missing; give it by --shape=0:AxBx.. or --dim=NAME:SIZE. The signature is
// SIZE-NEXT: named(
// SIZE-NEXT: argument 0: memref<?xf32> dims ["N"]
// SIZE-NEXT: argument 1: memref<?xf32> dims ["N"]
// SIZE-NEXT: argument 2: index)
// SCALAR: error: the value of argument 2 is missing; give it by --scalar=2:VALUE. The signature is
// DIM: error: --dim=Q: no argument has a size of that name in its tile.dims:
// RANK: error: --shape=0 has 2 dimensions, but argument 0: memref<?xf32>
// NUMBER: error: --shape: there is no argument 7 in
// EQUAL: error: argument 1 of 'named': dimension 0 named "N" has size 9, but in argument 0 it has 8
// EXECUTOR: error: --on=nowhere: known are emulator, cuda, auto and reference
// DATA: error: --data=gauss: unknown kind of data 'gauss'; known: normal(mean,deviation), uniform(lo,hi)
// PARAMETERS: error: --data=integers(1): 'integers(1)': 'integers' takes 2 numbers in parentheses
// OPTION: error: unknown option --speed; see tile-run --help
// CUDA: error: --on=cuda: {{.*}}; use --on=emulator
// FILE: error: cannot read '{{.*}}.nothing': No such file or directory
// HELP: --data=[ARG:]KIND

func.func @named(%a: memref<?xf32> {tile.dims = ["N"]}, %b: memref<?xf32> {tile.dims = ["N"]}, %n: index) {
  return
}

func.func @other() {
  return
}
