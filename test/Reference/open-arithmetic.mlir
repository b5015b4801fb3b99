// Where the language leaves a result open (division by zero, its overflow, shifts by
// the width or more, floats out of an integer's range) it is an error to use it, at the use, and none not to.
// DEFINE: %{entry} = divsi
// DEFINE: %{run} = tile-run %s --on=reference --entry=%{entry}
// RUN: not %{run} --data='1:values(1,0)' 2>&1 | FileCheck %s --check-prefixes=STORE,ZERO
// RUN: not %{run} --data='0:values(-2147483648)' --data='1:values(-1)' 2>&1 | FileCheck %s --check-prefixes=STORE,OVERFLOW
// RUN: %{run} --data='0:values(-2147483647)' --data='1:values(-1,1,7)'
// REDEFINE: %{entry} = remsi
// RUN: not %{run} --data='1:values(1,0)' 2>&1 | FileCheck %s --check-prefixes=STORE,ZERO
// RUN: not %{run} --data='0:values(-2147483648)' --data='1:values(-1)' 2>&1 | FileCheck %s --check-prefixes=STORE,OVERFLOW
// REDEFINE: %{entry} = ceildivsi
// RUN: not %{run} --data='1:values(1,0)' 2>&1 | FileCheck %s --check-prefixes=STORE,ZERO
// RUN: not %{run} --data='0:values(-2147483648)' --data='1:values(-1)' 2>&1 | FileCheck %s --check-prefixes=STORE,OVERFLOW
// REDEFINE: %{entry} = floordivsi
// RUN: not %{run} --data='1:values(1,0)' 2>&1 | FileCheck %s --check-prefixes=STORE,ZERO
// RUN: not %{run} --data='0:values(-2147483648)' --data='1:values(-1)' 2>&1 | FileCheck %s --check-prefixes=STORE,OVERFLOW
// REDEFINE: %{entry} = divui
// RUN: not %{run} --data='1:values(1,0)' 2>&1 | FileCheck %s --check-prefixes=STORE,ZERO
// RUN: %{run} --data='0:values(-2147483648)' --data='1:values(-1)'
// REDEFINE: %{entry} = remui
// RUN: not %{run} --data='1:values(1,0)' 2>&1 | FileCheck %s --check-prefixes=STORE,ZERO
// RUN: %{run} --data='0:values(-2147483648)' --data='1:values(-1)'
// REDEFINE: %{entry} = ceildivui
// RUN: not %{run} --data='1:values(1,0)' 2>&1 | FileCheck %s --check-prefixes=STORE,ZERO
// RUN: %{run} --data='0:values(-2147483648)' --data='1:values(-1)'
// REDEFINE: %{entry} = shli
// RUN: not %{run} --data='1:values(31,32)' 2>&1 | FileCheck %s --check-prefixes=STORE,SHIFT
// RUN: %{run} --data='1:values(31,0)'
// REDEFINE: %{entry} = shrsi
// RUN: not %{run} --data='1:values(1,-1)' 2>&1 | FileCheck %s --check-prefixes=STORE,SHIFT
// REDEFINE: %{entry} = shrui
// RUN: not %{run} --data='1:values(1,99)' 2>&1 | FileCheck %s --check-prefixes=STORE,SHIFT
// REDEFINE: %{entry} = whole
// RUN: not %{run} --data='0:values(1,128)' 2>&1 | FileCheck %s --check-prefixes=STORE,RANGE
// RUN: not %{run} --data='0:values(1,-129)' 2>&1 | FileCheck %s --check-prefixes=STORE,RANGE
// RUN: tile-run %s --chip=sm_80 --on=emulator --check --entry=%{entry} --data='0:values(127.9,-128.9)'
// REDEFINE: %{entry} = used
// RUN: not %{run} --scalar=1:0 --scalar=2:0 2>&1 | FileCheck %s --check-prefix=CONDITION
// RUN: not %{run} --scalar=1:0 --scalar=2:1 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: not %{run} --scalar=1:0 --scalar=2:2 2>&1 | FileCheck %s --check-prefix=ATOMIC
// RUN: not %{run} --scalar=1:0 --scalar=2:3 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: %{run} --scalar=1:0 --scalar=2:4
// RUN: %{run} --scalar=1:1 --scalar=2:0
// REDEFINE: %{entry} = guarded
// RUN: tile-run %s --chip=sm_80 --on=emulator --check --entry=%{entry} --data='0:values(6,7)' --data='1:values(0,2,0,3)'
// REDEFINE: %{entry} = bound
// RUN: not %{run} --scalar=0:0 2>&1 | FileCheck %s --check-prefix=BOUND

// STORE: error: stores an element ({{[01]}} of 64) that depends on
// ZERO-SAME: a division by zero
// OVERFLOW-SAME: a division that overflows
// SHIFT-SAME: a shift by the width or more
// RANGE-SAME: a float out of the integer's range
// STORE: note: it is computed here
// CONDITION: error: the condition depends on a division by zero
// CONDITION: open-arithmetic.mlir:[[#@LINE+13]]:10: note: it is computed here
// INDEX: error: index 0 depends on a division by zero
// ATOMIC: error: atomic on element 0 of buffer 'argument 0' depends on a division by zero
// SHARED: error: stores an element (0 of 1) that depends on a division by zero
// SHARED: open-arithmetic.mlir:[[#@LINE+9]]:10: note: it is computed here
// BOUND: error: a size of the allocation depends on a division by zero
#shared = #gpu.address_space<workgroup>

func.func @used(%x: memref<4xi32>, %n: i32, %way: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %q = arith.divui %one, %n : i32
    scf.index_switch %way
    case 0 {
      %p = arith.cmpi eq, %q, %one : i32
      scf.if %p {
        memref.store %one, %x[%c0] : memref<4xi32>
      }
      scf.yield
    }
    case 1 {
      %i = arith.index_cast %q : i32 to index
      memref.store %one, %x[%i] : memref<4xi32>
      scf.yield
    }
    case 2 {
      %old = memref.atomic_rmw addi %q, %x[%c0] : (i32, memref<4xi32>) -> i32
      scf.yield
    }
    case 3 {
      // Through shared memory it stays what it is.
      %s = tile.alloc : memref<1xi32, #shared>
      %t = tensor.splat %q : tensor<1xi32>
      tile.store %t, %s : tensor<1xi32>, memref<1xi32, #shared>
      %u = tile.load %s : memref<1xi32, #shared> -> tensor<1xi32>
      tile.store %u, %x[%c0] : tensor<1xi32>, memref<4xi32>
      scf.yield
    }
    default {
      // Nobody asks.
    }
  }
  return
}

// What is not chosen, masked or outside of the memref is used by nobody.
func.func @guarded(%x: memref<61xi32>, %y: memref<61xi32>, %z: memref<61xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0] : memref<61xi32> -> tensor<64xi32>
    %d = tile.load %y[%c0] : memref<61xi32> -> tensor<64xi32>
    %zero = arith.constant dense<0> : tensor<64xi32>
    %q = arith.divsi %a, %d : tensor<64xi32>
    %none = arith.cmpi eq, %d, %zero : tensor<64xi32>
    %r = arith.select %none, %zero, %q : tensor<64xi1>, tensor<64xi32>
    %p = tile.parallel (%i) in (64) -> (tensor<64xi32>) {
      %e = tensor.extract %a[%i] : tensor<64xi32>
      %f = tensor.extract %d[%i] : tensor<64xi32>
      %no = arith.constant 0 : i32
      %may = arith.cmpi ne, %f, %no : i32
      %g = scf.if %may -> i32 {
        %h = arith.remsi %e, %f : i32
        scf.yield %h : i32
      } else {
        scf.yield %no : i32
      }
      tile.yield %g : i32
    }
    %s = arith.addi %r, %p : tensor<64xi32>
    tile.store %s, %z[%c0] : tensor<64xi32>, memref<61xi32>
    // The last three elements divide the zeros that lie outside by themselves.
    %one = arith.constant dense<1> : tensor<64xi32>
    %filled = tile.parallel (%i) in (64) -> (tensor<64xi32>) {
      %e = tensor.extract %d[%i] : tensor<64xi32>
      %end = arith.constant 61 : index
      %isInside = arith.cmpi slt, %i, %end : index
      %least = arith.constant 1 : i32
      %w = arith.maxsi %e, %least : i32
      %v = arith.select %isInside, %w, %e : i32
      tile.yield %v : i32
    }
    %w = arith.divsi %a, %filled : tensor<64xi32>
    tile.store %w, %x[%c0] : tensor<64xi32>, memref<61xi32>
  }
  return
}

func.func @bound(%n: index) {
  %c8 = arith.constant 8 : index
  %m = arith.divui %c8, %n : index
  %a = memref.alloc(%m) : memref<?xf32>
  return
}

func.func @divsi(%x: memref<64xi32>, %y: memref<64xi32>, %z: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %d = tile.load %y : memref<64xi32> -> tensor<64xi32>
    %q = arith.divsi %a, %d : tensor<64xi32>
    tile.store %q, %z : tensor<64xi32>, memref<64xi32>
  }
  return
}

func.func @remsi(%x: memref<64xi32>, %y: memref<64xi32>, %z: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %d = tile.load %y : memref<64xi32> -> tensor<64xi32>
    %q = arith.remsi %a, %d : tensor<64xi32>
    tile.store %q, %z : tensor<64xi32>, memref<64xi32>
  }
  return
}

func.func @ceildivsi(%x: memref<64xi32>, %y: memref<64xi32>, %z: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %d = tile.load %y : memref<64xi32> -> tensor<64xi32>
    %q = arith.ceildivsi %a, %d : tensor<64xi32>
    tile.store %q, %z : tensor<64xi32>, memref<64xi32>
  }
  return
}

func.func @floordivsi(%x: memref<64xi32>, %y: memref<64xi32>, %z: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %d = tile.load %y : memref<64xi32> -> tensor<64xi32>
    %q = arith.floordivsi %a, %d : tensor<64xi32>
    tile.store %q, %z : tensor<64xi32>, memref<64xi32>
  }
  return
}

func.func @divui(%x: memref<64xi32>, %y: memref<64xi32>, %z: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %d = tile.load %y : memref<64xi32> -> tensor<64xi32>
    %q = arith.divui %a, %d : tensor<64xi32>
    tile.store %q, %z : tensor<64xi32>, memref<64xi32>
  }
  return
}

func.func @remui(%x: memref<64xi32>, %y: memref<64xi32>, %z: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %d = tile.load %y : memref<64xi32> -> tensor<64xi32>
    %q = arith.remui %a, %d : tensor<64xi32>
    tile.store %q, %z : tensor<64xi32>, memref<64xi32>
  }
  return
}

func.func @ceildivui(%x: memref<64xi32>, %y: memref<64xi32>, %z: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %d = tile.load %y : memref<64xi32> -> tensor<64xi32>
    %q = arith.ceildivui %a, %d : tensor<64xi32>
    tile.store %q, %z : tensor<64xi32>, memref<64xi32>
  }
  return
}

func.func @shli(%x: memref<64xi32>, %y: memref<64xi32>, %z: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %d = tile.load %y : memref<64xi32> -> tensor<64xi32>
    %q = arith.shli %a, %d : tensor<64xi32>
    tile.store %q, %z : tensor<64xi32>, memref<64xi32>
  }
  return
}

func.func @shrsi(%x: memref<64xi32>, %y: memref<64xi32>, %z: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %d = tile.load %y : memref<64xi32> -> tensor<64xi32>
    %q = arith.shrsi %a, %d : tensor<64xi32>
    tile.store %q, %z : tensor<64xi32>, memref<64xi32>
  }
  return
}

func.func @shrui(%x: memref<64xi32>, %y: memref<64xi32>, %z: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a = tile.load %x : memref<64xi32> -> tensor<64xi32>
    %d = tile.load %y : memref<64xi32> -> tensor<64xi32>
    %q = arith.shrui %a, %d : tensor<64xi32>
    tile.store %q, %z : tensor<64xi32>, memref<64xi32>
  }
  return
}

func.func @whole(%x: memref<64xf32>, %y: memref<64xi8>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %t = tile.load %x : memref<64xf32> -> tensor<64xf32>
    %i = arith.fptosi %t : tensor<64xf32> to tensor<64xi8>
    tile.store %i, %y : tensor<64xi8>, memref<64xi8>
  }
  return
}
