// Loops make ceil((upper - lower) / step) iterations over the integers, whatever their
// type: also where the number after the last one does not fit it, and where the step
// of an unsigned loop or the distance of a signed one would be negative in it. Bounds
// known when compiling, when launching, and of each iteration.
// DEFINE: %{type} =
// DEFINE: %{kind} =
// DEFINE: %{lower} =
// DEFINE: %{upper} =
// DEFINE: %{step} =
// DEFINE: %{count} =
// DEFINE: %{run} = sed -e 's/TYPE/%{type}/g; s/KIND/%{kind}/g; s/LOWER/%{lower}/g; s/UPPER/%{upper}/g; s/STEP/%{step}/g; s/COUNT/%{count}/g' %s | tile-run - --on=emulator --check --chip=sm_80 --entry=all --scalar=1:%{lower} --scalar=2:%{upper} --scalar=3:%{step}
// REDEFINE: %{type} = i8
// REDEFINE: %{lower} = 0
// REDEFINE: %{upper} = 120
// REDEFINE: %{step} = 50
// REDEFINE: %{count} = 3
// RUN: %{run}
// REDEFINE: %{lower} = -100
// REDEFINE: %{upper} = 100
// REDEFINE: %{step} = 127
// REDEFINE: %{count} = 2
// RUN: %{run}
// REDEFINE: %{kind} = unsigned
// REDEFINE: %{lower} = 0
// REDEFINE: %{upper} = -6
// REDEFINE: %{step} = 100
// REDEFINE: %{count} = 3
// RUN: %{run}
// REDEFINE: %{step} = -56
// REDEFINE: %{count} = 2
// RUN: %{run}
// REDEFINE: %{type} = i32
// REDEFINE: %{upper} = -1
// REDEFINE: %{step} = -1294967296
// RUN: %{run}
// REDEFINE: %{kind} =
// REDEFINE: %{lower} = 2147483600
// REDEFINE: %{upper} = 2147483640
// REDEFINE: %{step} = 30
// RUN: %{run}
// REDEFINE: %{type} = i64
// REDEFINE: %{lower} = -9223372036854775808
// REDEFINE: %{upper} = 9223372036854775807
// REDEFINE: %{step} = 4611686018427387904
// REDEFINE: %{count} = 4
// RUN: %{run}
// REDEFINE: %{kind} = unsigned
// REDEFINE: %{lower} = 5
// REDEFINE: %{upper} = -1
// RUN: %{run}

func.func @all(%out: memref<3x2xi32>, %l: TYPE, %u: TYPE, %s: TYPE) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %expected = arith.constant COUNT : i32
    %lower = arith.constant LOWER : TYPE
    %upper = arith.constant UPPER : TYPE
    %step = arith.constant STEP : TYPE
    %known:2 = scf.for KIND %i = %lower to %upper step %step
        iter_args(%n = %zero, %last = %lower) -> (i32, TYPE) : TYPE {
      %m = arith.addi %n, %one : i32
      scf.yield %m, %i : i32, TYPE
    }
    %given:2 = scf.for KIND %i = %l to %u step %s
        iter_args(%n = %zero, %last = %l) -> (i32, TYPE) : TYPE {
      %m = arith.addi %n, %one : i32
      scf.yield %m, %i : i32, TYPE
    }
    %isRight = arith.cmpi eq, %known#0, %expected : i32
    tile.assert %isRight, "iterations over the integers"
    %isSame = arith.cmpi eq, %known#1, %given#1 : TYPE
    tile.assert %isSame, "the last number"
    memref.store %known#0, %out[%c0, %c0] : memref<3x2xi32>
    memref.store %given#0, %out[%k1, %c0] : memref<3x2xi32>
    tile.parallel (%j) in (2) {
      %each = scf.for KIND %i = %l to %u step %s iter_args(%n = %zero) -> (i32) : TYPE {
        %m = arith.addi %n, %one : i32
        scf.yield %m : i32
      }
      memref.store %each, %out[%k2, %j] : memref<3x2xi32>
    }
  }
  return
}
