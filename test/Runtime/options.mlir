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
// RUN: not tile-run %s --entry=named --data='values()' 2>&1 | FileCheck %s --check-prefix=VALUES
// RUN: not tile-run %s --entry=named --data='values(1,2' 2>&1 | FileCheck %s --check-prefix=VALUES
// RUN: not tile-run %s --entry=named --data='uniform(3,1)' 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not tile-run %s --entry=named --data='integers(5,2)' 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not tile-run %s --entry=named --data='integers(1.5,3)' 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: not tile-run %s --entry=named --data='normal(0,-1)' 2>&1 | FileCheck %s --check-prefix=DEVIATION
// RUN: not tile-run %s --entry=named --data='normal(nan,1)' 2>&1 | FileCheck %s --check-prefix=FINITE
// RUN: not tile-run %s --entry=named --data='iota(3)' 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not tile-run %s --entry=named --data='2:iota' --on=reference 2>&1 | FileCheck %s --check-prefix=MEMREF
// RUN: not tile-run %s --entry=named --data='9:iota' --on=reference 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not tile-run %s --entry=static --on=reference --dim=N:9 2>&1 | FileCheck %s --check-prefix=STATIC
// RUN: not tile-run %s --entry=static --on=reference --shape=0:9 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not tile-run %s --entry=static --on=reference --shape=0:4xx 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not tile-run %s --entry=static --on=reference --shape=8 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not tile-run %s --entry=static --on=reference --dim=N 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: not tile-run %s --entry=static --on=reference --alias=1:0 2>&1 | FileCheck %s --check-prefix=TYPES
// RUN: not tile-run %s --entry=static --on=reference --alias=2:0 2>&1 | FileCheck %s --check-prefix=HOLD
// RUN: not tile-run %s --entry=static --on=reference --alias=3:0 2>&1 | FileCheck %s --check-prefix=OVERLAP
// RUN: not tile-run %s --entry=static --on=reference --alias=0:1 2>&1 | FileCheck %s --check-prefix=SMALLER
// RUN: not tile-run %s --entry=scalars --on=reference --scalar=0:2 2>&1 | FileCheck %s --check-prefix=BIT
// RUN: not tile-run %s --entry=scalars --on=reference --scalar=0:1 --scalar=1:300 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not tile-run %s --entry=scalars --on=reference --scalar=0:1 --scalar=1:2.5 2>&1 | FileCheck %s --check-prefix=INTEGER
// RUN: not tile-run %s --entry=scalars --on=reference --scalar=0:1 --scalar=1:2 --scalar=2:x 2>&1 | FileCheck %s --check-prefix=FLOAT
// RUN: tile-run %s --entry=scalars --on=reference --scalar=0:true --scalar=1:255 --scalar=2:1e-3
// RUN: tile-run %s --entry=scalars --on=reference --scalar=0:0 --scalar=1:-128 --scalar=2:inf
// RUN: not tile-run %s --entry=static --on=reference --scalar=0:1 2>&1 | FileCheck %s --check-prefix=NOSCALAR
// RUN: not tile-run %s --entry=other --on=reference --chip=sm_1 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not tile-run %s --entry=other --on=reference --stats=json 2>&1 | FileCheck %s --check-prefix=COUNTS
// RUN: not tile-run %s --entry=other --stats=xml 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not tile-run %s --entry=static --on=reference --rtol=9:0 2>&1 | FileCheck %s --check-prefix=RTOL
// RUN: not tile-run %s --entry=static --on=reference --atol=-1 2>&1 | FileCheck %s --check-prefix=ATOL
// RUN: not tile-run %s --entry=other --check=1 2>&1 | FileCheck %s --check-prefix=FLAG
// RUN: not tile-run %s --entry=other --check-stages=1 2>&1 | FileCheck %s --check-prefix=NOVALUE
// RUN: not tile-run %s --entry=named --dim=N:8 --dim=N:9 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not tile-run %s --entry=named --shape=0:8 --shape=1:8 --shape=0:9 2>&1 | FileCheck %s --check-prefix=SHAPES
// RUN: not tile-run %s --entry=named --scalar=2:8 --scalar=2:9 2>&1 | FileCheck %s --check-prefix=SCALARS
// RUN: not tile-run %s --entry=named --in=0:a --in=0:b 2>&1 | FileCheck %s --check-prefix=INPUTS
// RUN: not tile-run %s --entry=named --data=zeros --data=iota 2>&1 | FileCheck %s --check-prefix=DATAS
// RUN: not tile-run %s --entry=named --seed=1 --seed=2 2>&1 | FileCheck %s --check-prefix=SEEDS
// RUN: tile-run %s --entry=named --on=reference --dim=N:8 --dim=N:8 --scalar=2:1 --data=0:iota --data=1:zeros --data=zeros --check --check
// RUN: not tile-run %s --entry=other --max-unchecked=1 2>&1 | FileCheck %s --check-prefix=SHARE
// RUN: not tile-run %s --entry=other --max-unchecked=101% 2>&1 | FileCheck %s --check-prefix=SHARE
// RUN: not tile-run %s --entry=other --time=0 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: not tile-run %s --entry=other --warm-up=x 2>&1 | FileCheck %s --check-prefix=WARM
// RUN: not tile-run %s --entry=other --on=reference --time 2>&1 | FileCheck %s --check-prefix=UNTIMED
// RUN: not tile-run %s --entry=other --seed=x 2>&1 | FileCheck %s --check-prefix=SEED
// RUN: not tile-run %s --entry= 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not tile-run %s other 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not tile-run --check 2>&1 | FileCheck %s --check-prefix=PROGRAM
// RUN: not tile-run %s --entry=named --frequency=9 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not tile-run %s --entry=named --cheks 2>&1 | FileCheck %s --check-prefix=NEAR
// RUN: not tile-run %s --entry=named --max-step=1 2>&1 | FileCheck %s --check-prefix=NEAR
// RUN: env CUDA_VISIBLE_DEVICES=-1 not tile-run %s --entry=other --on=cuda 2>&1 | FileCheck %s --check-prefix=CUDA
// RUN: not tile-run %s.nothing --on=reference 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: tile-run --help | FileCheck %s --check-prefix=HELP

// ENTRY: error: which function to run is missing; give it by --entry=NAME. The file has named, other, static, scalars
// UNKNOWN: error: there is no function 'missing' with a body; the file has named, other, static, scalars
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
// PARAMETERS: error: --data=integers(1): 'integers' takes 2 numbers in parentheses
// VALUES: error: --data=values({{.*}}: 'values' takes a list of numbers in parentheses
// ORDER: error: --data={{.*}}: the first number must not be above the second
// WHOLE: error: --data=integers(1.5,3): both ends must be integers
// DEVIATION: error: --data=normal(0,-1): the deviation must not be negative
// FINITE: error: --data=normal(nan,1): its numbers must be finite
// NOTHING: error: --data=iota(3): 'iota' takes no numbers
// MEMREF: error: --data: argument 2: index is no memref
// ABSENT: error: --data: there is no argument 9 in
// ABSENT-NEXT: named(
// STATIC: error: --dim=N:9: dimension 0 has size 8 in argument 0: memref<8xf32>
// SHAPE: error: --shape=0 gives dimension 0 size 9, but it is 8 in argument 0: memref<8xf32>
// SIZES: error: --shape=0:4xx: '' is not a size; write sizes as in 512x300
// FORM: error: --shape=8: expected ARGUMENT:VALUE, such as --shape=0:..
// NAMED: error: --dim=N: expected NAME:SIZE, such as M:300
// TYPES: error: --alias=1:0: elements of argument 0: memref<8xf32>{{.*}} and of argument 1: memref<8xi32> have different types
// HOLD: error: --alias=2:0: the buffer has 8 elements of argument 0: memref<8xf32>{{.*}}, which does not hold argument 2: memref<9xf32>
// OVERLAP: error: argument 3 of 'static': overlaps argument 0; arguments that overlap carry tile.may_alias
// SMALLER: error: --alias=0:1: the second number must be the smaller one
// BIT: error: --scalar=0:2 is no i1, which is true or false
// RANGE: error: --scalar=1:300 is no i8, which is from -128 to 255
// INTEGER: error: --scalar=1:2.5 is not an integer
// FLOAT: error: --scalar=2:x is not a number
// NOSCALAR: error: --scalar: argument 0: memref<8xf32>{{.*}} is no scalar
// CHIP: {{^}}error: unknown chip 'sm_1'; known: sm_80, sm_86,
// COUNTS: error: --stats: only the emulator counts; use --on=emulator
// FORMAT: error: --stats=xml: known are text and json
// RTOL: error: --rtol=9:..: argument 9 is no memref of
// ATOL: error: --atol=-1: '-1' is not a number from 0 on
// FLAG: error: --check=1: known are text and json
// NOVALUE: error: --check-stages takes no value
// TWICE: error: --dim=N:9: --dim=N:8 was given before
// SHAPES: error: --shape=0:9: --shape=0:8 was given before
// SCALARS: error: --scalar=2:9: --scalar=2:8 was given before
// INPUTS: error: --in=0:b: --in=0:a was given before
// DATAS: error: --data=iota: --data=zeros was given before
// SEEDS: error: --seed=2: --seed=1 was given before
// SHARE: error: --max-unchecked={{1|101%}}: expected a share from 0% to 100%, such as 1%
// TIME: error: --time=0: expected a number of launches from 1 to 1000000
// WARM: error: --warm-up=x: expected a number of launches from 0 to 1000000
// UNTIMED: error: --time: the reference has no launches to time; use --on=emulator or --on=cuda
// SEED: error: --seed=x: expected an integer from 0 on
// VALUE: error: --entry needs a value: --entry=..
// TWO: error: one program a run, but '{{.*}}options.mlir' and 'other' are given
// PROGRAM: error: no program is given; see tile-run --help
// OPTION: error: unknown option --frequency; see tile-run --help
// NEAR: error: unknown option --{{cheks|max-step}}; did you mean --{{check|max-steps}}?
// CUDA: error: --on=cuda: {{.*}}; use --on=emulator
// FILE: error: cannot read '{{.*}}.nothing': No such file or directory
// HELP: --data=[ARG:]KIND

func.func @named(%a: memref<?xf32> {tile.dims = ["N"]}, %b: memref<?xf32> {tile.dims = ["N"]}, %n: index) {
  return
}

func.func @other() {
  return
}

func.func @static(%a: memref<8xf32> {tile.dims = ["N"]}, %b: memref<8xi32>, %c: memref<9xf32>, %d: memref<8xf32>) {
  return
}

func.func @scalars(%a: i1, %b: i8, %c: f32) {
  return
}
