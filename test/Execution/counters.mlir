// scf.for with counters of every integer type, signed from below zero and unsigned from
// above the largest signed number, 0 to 4 trips and a step that does not divide: in
// the launch around fragments, in iterations with bounds of their own, on the host.
// DEFINE: %{type} =
// DEFINE: %{from} =
// DEFINE: %{to} =
// DEFINE: %{kind} =
// DEFINE: %{run} = sed -e 's/TYPE/%{type}/g; s/KIND/%{kind}/g' %s | tile-run - --on=emulator --check --entry=all --data='0:integers(0,4)' --scalar=1:%{from} --scalar=2:%{to} --scalar=3:3
// REDEFINE: %{type} = i8
// REDEFINE: %{from} = -7
// REDEFINE: %{to} = 5
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = 125
// REDEFINE: %{to} = 134
// REDEFINE: %{kind} = unsigned
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{kind} =
// REDEFINE: %{type} = i16
// REDEFINE: %{from} = -4
// REDEFINE: %{to} = -4
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = i32
// REDEFINE: %{from} = -2
// REDEFINE: %{to} = 1
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = 2147483640
// REDEFINE: %{to} = 2147483650
// REDEFINE: %{kind} = unsigned
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{kind} =
// REDEFINE: %{type} = i64
// REDEFINE: %{from} = -5000000000
// REDEFINE: %{to} = -4999999990
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = index
// REDEFINE: %{from} = 5
// REDEFINE: %{to} = 2
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{from} = -1
// REDEFINE: %{to} = 4
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a

func.func @all(%n: memref<64xTYPE>, %from: TYPE, %to: TYPE, %step: TYPE, %o: memref<64xTYPE>, %p: memref<64xTYPE>, %q: memref<64xTYPE>) {
  %g = arith.constant 1 : index
  tile.launch @around_fragments blocks(%x) in (%g) threads(64) {
    %t = tile.load %n : memref<64xTYPE> -> tensor<64xTYPE>
    %r = scf.for KIND %i = %from to %to step %step iter_args(%u = %t) -> (tensor<64xTYPE>) : TYPE {
      %s = tensor.splat %i : tensor<64xTYPE>
      %v = arith.muli %u, %s : tensor<64xTYPE>
      %w = arith.subi %v, %t : tensor<64xTYPE>
      scf.yield %w : tensor<64xTYPE>
    }
    tile.store %r, %o : tensor<64xTYPE>, memref<64xTYPE>
  }
  tile.launch @in_iterations blocks(%x) in (%g) threads(96) {
    tile.parallel (%j) in (64) {
      %trips = memref.load %n[%j] : memref<64xTYPE>
      %length = arith.muli %trips, %step : TYPE
      %end = arith.addi %from, %length : TYPE
      %r = scf.for KIND %i = %from to %end step %step iter_args(%u = %trips) -> (TYPE) : TYPE {
        %v = arith.muli %u, %i : TYPE
        %w = arith.addi %v, %end : TYPE
        scf.yield %w : TYPE
      }
      memref.store %r, %p[%j] : memref<64xTYPE>
    }
  }
  %r = scf.for KIND %i = %from to %to step %step iter_args(%u = %step) -> (TYPE) : TYPE {
    %v = arith.muli %u, %i : TYPE
    %w = arith.subi %v, %to : TYPE
    tile.launch @on_host blocks(%x) in (%g) threads(32) {
      %t = tile.load %q : memref<64xTYPE> -> tensor<64xTYPE>
      %s = tensor.splat %w : tensor<64xTYPE>
      %y = arith.xori %t, %s : tensor<64xTYPE>
      tile.store %y, %q : tensor<64xTYPE>, memref<64xTYPE>
    }
    scf.yield %w : TYPE
  }
  return
}
