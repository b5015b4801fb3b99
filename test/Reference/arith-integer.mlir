// arith on integers, a case per operation. Every expected value is worked out
// by hand. Integers wrap; division by zero, its overflow and shifts beyond the
// width leave that element open, which prints as poison, and no other
// (Language.md, "Aliasing and order").
// RUN: tile-run %s --entry=all --on=reference | sed 's/ (block 0, 0, 0)//' | FileCheck %s

func.func @all() {
  call @arith.addi() : () -> ()
  call @arith.subi() : () -> ()
  call @arith.muli() : () -> ()
  call @arith.andi() : () -> ()
  call @arith.ori() : () -> ()
  call @arith.xori() : () -> ()
  call @arith.maxsi() : () -> ()
  call @arith.maxui() : () -> ()
  call @arith.minsi() : () -> ()
  call @arith.minui() : () -> ()
  call @arith.shli() : () -> ()
  call @arith.shrsi() : () -> ()
  call @arith.shrui() : () -> ()
  call @arith.divsi() : () -> ()
  call @arith.divui() : () -> ()
  call @arith.remsi() : () -> ()
  call @arith.remui() : () -> ()
  call @arith.floordivsi() : () -> ()
  call @arith.ceildivsi() : () -> ()
  call @arith.ceildivui() : () -> ()
  call @arith.addui_extended() : () -> ()
  call @arith.mulsi_extended() : () -> ()
  call @arith.mului_extended() : () -> ()
  call @arith.cmpi() : () -> ()
  call @arith.select() : () -> ()
  call @arith.constant() : () -> ()
  call @ub.poison() : () -> ()
  return
}

func.func private @arith.addi() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // The sum wraps around.
    %a0 = arith.constant dense<[127, -128, 100, -7]> : tensor<4xi8>
    %b0 = arith.constant dense<[1, -1, 100, 2]> : tensor<4xi8>
    %r0 = arith.addi %a0, %b0 : tensor<4xi8>
    // CHECK: addi i8: [-128, 127, -56, -5]
    tile.print "addi i8" %r0 : tensor<4xi8>
    // One bit: the sum is an exclusive or.
    %a1 = arith.constant dense<[true, true, false]> : tensor<3xi1>
    %b1 = arith.constant dense<[true, false, false]> : tensor<3xi1>
    %r1 = arith.addi %a1, %b1 : tensor<3xi1>
    // CHECK: addi i1: [0, 1, 0]
    tile.print "addi i1" %r1 : tensor<3xi1>
    %a2 = arith.constant dense<[9223372036854775807, 4294967295]> : tensor<2xindex>
    %b2 = arith.constant dense<[1, 1]> : tensor<2xindex>
    %r2 = arith.addi %a2, %b2 : tensor<2xindex>
    // CHECK: addi index: [-9223372036854775808, 4294967296]
    tile.print "addi index" %r2 : tensor<2xindex>
    %a3 = arith.constant dense<[2147483647]> : tensor<1xi32>
    %b3 = arith.constant dense<[1]> : tensor<1xi32>
    %r3 = arith.addi %a3, %b3 : tensor<1xi32>
    // CHECK: addi i32: [-2147483648]
    tile.print "addi i32" %r3 : tensor<1xi32>
  }
  return
}

func.func private @arith.subi() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // The difference wraps around; -(-128) is -128.
    %a0 = arith.constant dense<[-128, 127, 0, 5]> : tensor<4xi8>
    %b0 = arith.constant dense<[1, -1, -128, 7]> : tensor<4xi8>
    %r0 = arith.subi %a0, %b0 : tensor<4xi8>
    // CHECK: subi i8: [127, -128, -128, -2]
    tile.print "subi i8" %r0 : tensor<4xi8>
    %a1 = arith.constant dense<[-9223372036854775808, 0]> : tensor<2xi64>
    %b1 = arith.constant dense<[1, 1]> : tensor<2xi64>
    %r1 = arith.subi %a1, %b1 : tensor<2xi64>
    // CHECK: subi i64: [9223372036854775807, -1]
    tile.print "subi i64" %r1 : tensor<2xi64>
  }
  return
}

func.func private @arith.muli() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // 100 * 100 = 39 * 256 + 16.
    %a0 = arith.constant dense<[100, -128, -7, 16]> : tensor<4xi8>
    %b0 = arith.constant dense<[100, -1, 2, 16]> : tensor<4xi8>
    %r0 = arith.muli %a0, %b0 : tensor<4xi8>
    // CHECK: muli i8: [16, -128, -14, 0]
    tile.print "muli i8" %r0 : tensor<4xi8>
    // 2^32 squared is gone; 3037000500^2 = 9223372037000250000, less 2^64.
    %a1 = arith.constant dense<[4294967296, 3037000500]> : tensor<2xi64>
    %b1 = arith.constant dense<[4294967296, 3037000500]> : tensor<2xi64>
    %r1 = arith.muli %a1, %b1 : tensor<2xi64>
    // CHECK: muli i64: [0, -9223372036709301616]
    tile.print "muli i64" %r1 : tensor<2xi64>
  }
  return
}

func.func private @arith.andi() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a0 = arith.constant dense<[12, -1, -128]> : tensor<3xi8>
    %b0 = arith.constant dense<[10, 85, 127]> : tensor<3xi8>
    %r0 = arith.andi %a0, %b0 : tensor<3xi8>
    // CHECK: andi i8: [8, 85, 0]
    tile.print "andi i8" %r0 : tensor<3xi8>
  }
  return
}

func.func private @arith.ori() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a0 = arith.constant dense<[12, -128, 0]> : tensor<3xi8>
    %b0 = arith.constant dense<[10, 127, 0]> : tensor<3xi8>
    %r0 = arith.ori %a0, %b0 : tensor<3xi8>
    // CHECK: ori i8: [14, -1, 0]
    tile.print "ori i8" %r0 : tensor<3xi8>
  }
  return
}

func.func private @arith.xori() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // All ones flip every bit: -1 - 85.
    %a0 = arith.constant dense<[12, -1, -1]> : tensor<3xi8>
    %b0 = arith.constant dense<[10, 85, -1]> : tensor<3xi8>
    %r0 = arith.xori %a0, %b0 : tensor<3xi8>
    // CHECK: xori i8: [6, -86, 0]
    tile.print "xori i8" %r0 : tensor<3xi8>
  }
  return
}

func.func private @arith.maxsi() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a0 = arith.constant dense<[-1, 5, -128]> : tensor<3xi8>
    %b0 = arith.constant dense<[1, 3, 127]> : tensor<3xi8>
    %r0 = arith.maxsi %a0, %b0 : tensor<3xi8>
    // CHECK: maxsi i8: [1, 5, 127]
    tile.print "maxsi i8" %r0 : tensor<3xi8>
  }
  return
}

func.func private @arith.maxui() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // As unsigned, -1 is 255 and -128 is 128.
    %a0 = arith.constant dense<[-1, 5, -128]> : tensor<3xi8>
    %b0 = arith.constant dense<[1, 3, 127]> : tensor<3xi8>
    %r0 = arith.maxui %a0, %b0 : tensor<3xi8>
    // CHECK: maxui i8: [-1, 5, -128]
    tile.print "maxui i8" %r0 : tensor<3xi8>
  }
  return
}

func.func private @arith.minsi() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %a0 = arith.constant dense<[-1, 5, -128]> : tensor<3xi8>
    %b0 = arith.constant dense<[1, 3, 127]> : tensor<3xi8>
    %r0 = arith.minsi %a0, %b0 : tensor<3xi8>
    // CHECK: minsi i8: [-1, 3, -128]
    tile.print "minsi i8" %r0 : tensor<3xi8>
  }
  return
}

func.func private @arith.minui() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // As unsigned, -1 is 255 and -128 is 128.
    %a0 = arith.constant dense<[-1, 5, -128]> : tensor<3xi8>
    %b0 = arith.constant dense<[1, 3, 127]> : tensor<3xi8>
    %r0 = arith.minui %a0, %b0 : tensor<3xi8>
    // CHECK: minui i8: [1, 3, 127]
    tile.print "minui i8" %r0 : tensor<3xi8>
  }
  return
}

func.func private @arith.shli() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // By the width or more (-1 is 255): that element is unspecified, and no other.
    %a0 = arith.constant dense<[1, 3, -1, 1, 2, 1, 4]> : tensor<7xi8>
    %b0 = arith.constant dense<[7, 7, 1, 8, 1, -1, 1]> : tensor<7xi8>
    %r0 = arith.shli %a0, %b0 : tensor<7xi8>
    // CHECK: shli i8: [-128, -128, -2, poison, 4, poison, 8]
    tile.print "shli i8" %r0 : tensor<7xi8>
  }
  return
}

func.func private @arith.shrsi() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // The sign moves in.
    %a0 = arith.constant dense<[-7, 7, -128, -128, -1, 100, -8]> : tensor<7xi8>
    %b0 = arith.constant dense<[2, 2, 7, 8, 1, -1, 1]> : tensor<7xi8>
    %r0 = arith.shrsi %a0, %b0 : tensor<7xi8>
    // CHECK: shrsi i8: [-2, 1, -1, poison, -1, poison, -4]
    tile.print "shrsi i8" %r0 : tensor<7xi8>
  }
  return
}

func.func private @arith.shrui() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // Zeros move in: -7 is 249 = 62 * 4 + 1.
    %a0 = arith.constant dense<[-7, 7, -128, -128, -1, 100, -8]> : tensor<7xi8>
    %b0 = arith.constant dense<[2, 2, 7, 8, 1, -1, 1]> : tensor<7xi8>
    %r0 = arith.shrui %a0, %b0 : tensor<7xi8>
    // CHECK: shrui i8: [62, 1, 1, poison, 127, poison, 124]
    tile.print "shrui i8" %r0 : tensor<7xi8>
  }
  return
}

func.func private @arith.divsi() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // Toward zero. Overflow and division by zero leave that element open.
    %a0 = arith.constant dense<[-7, 7, -7, -128, 5, 9, -128]> : tensor<7xi8>
    %b0 = arith.constant dense<[2, -2, -2, -1, 0, 3, 1]> : tensor<7xi8>
    %r0 = arith.divsi %a0, %b0 : tensor<7xi8>
    // CHECK: divsi i8: [-3, -3, 3, poison, poison, 3, -128]
    tile.print "divsi i8" %r0 : tensor<7xi8>
  }
  return
}

func.func private @arith.divui() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // -7 is 249, -2 is 254, -128 is 128.
    %a0 = arith.constant dense<[-7, 7, -128, 5, -1]> : tensor<5xi8>
    %b0 = arith.constant dense<[2, -2, -1, 0, 16]> : tensor<5xi8>
    %r0 = arith.divui %a0, %b0 : tensor<5xi8>
    // CHECK: divui i8: [124, 0, 0, poison, 15]
    tile.print "divui i8" %r0 : tensor<5xi8>
  }
  return
}

func.func private @arith.remsi() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // The sign of the dividend: a = (a / b) b + a rem b.
    %a0 = arith.constant dense<[-7, 7, -7, -128, 5, 9]> : tensor<6xi8>
    %b0 = arith.constant dense<[2, -2, -2, -1, 0, 5]> : tensor<6xi8>
    %r0 = arith.remsi %a0, %b0 : tensor<6xi8>
    // CHECK: remsi i8: [-1, 1, -1, poison, poison, 4]
    tile.print "remsi i8" %r0 : tensor<6xi8>
  }
  return
}

func.func private @arith.remui() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // 249 = 124 * 2 + 1; 128 is less than 255.
    %a0 = arith.constant dense<[-7, 7, -128, 5, -1]> : tensor<5xi8>
    %b0 = arith.constant dense<[2, -2, -1, 0, 16]> : tensor<5xi8>
    %r0 = arith.remui %a0, %b0 : tensor<5xi8>
    // CHECK: remui i8: [1, 7, -128, poison, 15]
    tile.print "remui i8" %r0 : tensor<5xi8>
  }
  return
}

func.func private @arith.floordivsi() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // Toward minus infinity.
    %a0 = arith.constant dense<[-7, 7, -7, -8, -128, 5, 7]> : tensor<7xi8>
    %b0 = arith.constant dense<[2, -2, -2, 2, -1, 0, 2]> : tensor<7xi8>
    %r0 = arith.floordivsi %a0, %b0 : tensor<7xi8>
    // CHECK: floordivsi i8: [-4, -4, 3, -4, poison, poison, 3]
    tile.print "floordivsi i8" %r0 : tensor<7xi8>
  }
  return
}

func.func private @arith.ceildivsi() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // Toward infinity.
    %a0 = arith.constant dense<[-7, 7, 7, -7, -128, 5, 8]> : tensor<7xi8>
    %b0 = arith.constant dense<[2, 2, -2, -2, -1, 0, 2]> : tensor<7xi8>
    %r0 = arith.ceildivsi %a0, %b0 : tensor<7xi8>
    // CHECK: ceildivsi i8: [-3, 4, -3, 4, poison, poison, 4]
    tile.print "ceildivsi i8" %r0 : tensor<7xi8>
  }
  return
}

func.func private @arith.ceildivui() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // 249 / 2 = 124.5; 255 / 16 = 15.9.
    %a0 = arith.constant dense<[-7, 7, 0, 5, -1, -1]> : tensor<6xi8>
    %b0 = arith.constant dense<[2, 2, 5, 0, 16, -1]> : tensor<6xi8>
    %r0 = arith.ceildivui %a0, %b0 : tensor<6xi8>
    // CHECK: ceildivui i8: [125, 4, 0, poison, 16, 1]
    tile.print "ceildivui i8" %r0 : tensor<6xi8>
  }
  return
}

func.func private @arith.addui_extended() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // 200 + 100 = 256 + 44.
    %a0 = arith.constant dense<[-56, -1, 100]> : tensor<3xi8>
    %b0 = arith.constant dense<[100, 1, 100]> : tensor<3xi8>
    %l0, %h0 = arith.addui_extended %a0, %b0 : tensor<3xi8>, tensor<3xi1>
    // CHECK: addui_extended i8 low: [44, 0, -56]
    tile.print "addui_extended i8 low" %l0 : tensor<3xi8>
    // CHECK: addui_extended i8 carry: [1, 1, 0]
    tile.print "addui_extended i8 carry" %h0 : tensor<3xi1>
    %a1 = arith.constant dense<[-1, -1, 1]> : tensor<3xi64>
    %b1 = arith.constant dense<[1, -1, 1]> : tensor<3xi64>
    %l1, %h1 = arith.addui_extended %a1, %b1 : tensor<3xi64>, tensor<3xi1>
    // CHECK: addui_extended i64 low: [0, -2, 2]
    tile.print "addui_extended i64 low" %l1 : tensor<3xi64>
    // CHECK: addui_extended i64 carry: [1, 1, 0]
    tile.print "addui_extended i64 carry" %h1 : tensor<3xi1>
  }
  return
}

func.func private @arith.mulsi_extended() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // 2^14; 10000 = 39 * 256 + 16; -14 = -256 + 242.
    %a0 = arith.constant dense<[-128, 100, -7]> : tensor<3xi8>
    %b0 = arith.constant dense<[-128, 100, 2]> : tensor<3xi8>
    %l0, %h0 = arith.mulsi_extended %a0, %b0 : tensor<3xi8>
    // CHECK: mulsi_extended i8 low: [0, 16, -14]
    tile.print "mulsi_extended i8 low" %l0 : tensor<3xi8>
    // CHECK: mulsi_extended i8 high: [64, 39, -1]
    tile.print "mulsi_extended i8 high" %h0 : tensor<3xi8>
    // -2^63 times 2 is -2^64.
    %a1 = arith.constant dense<[-9223372036854775808]> : tensor<1xi64>
    %b1 = arith.constant dense<[2]> : tensor<1xi64>
    %l1, %h1 = arith.mulsi_extended %a1, %b1 : tensor<1xi64>
    // CHECK: mulsi_extended i64 low: [0]
    tile.print "mulsi_extended i64 low" %l1 : tensor<1xi64>
    // CHECK: mulsi_extended i64 high: [-1]
    tile.print "mulsi_extended i64 high" %h1 : tensor<1xi64>
  }
  return
}

func.func private @arith.mului_extended() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // 200 * 200 = 156 * 256 + 64.
    %a0 = arith.constant dense<[-56, 16]> : tensor<2xi8>
    %b0 = arith.constant dense<[-56, 16]> : tensor<2xi8>
    %l0, %h0 = arith.mului_extended %a0, %b0 : tensor<2xi8>
    // CHECK: mului_extended i8 low: [64, 0]
    tile.print "mului_extended i8 low" %l0 : tensor<2xi8>
    // CHECK: mului_extended i8 high: [-100, 1]
    tile.print "mului_extended i8 high" %h0 : tensor<2xi8>
    // (2^64 - 1)^2 = (2^64 - 2) 2^64 + 1.
    %a1 = arith.constant dense<[-1]> : tensor<1xi64>
    %b1 = arith.constant dense<[-1]> : tensor<1xi64>
    %l1, %h1 = arith.mului_extended %a1, %b1 : tensor<1xi64>
    // CHECK: mului_extended i64 low: [1]
    tile.print "mului_extended i64 low" %l1 : tensor<1xi64>
    // CHECK: mului_extended i64 high: [-2]
    tile.print "mului_extended i64 high" %h1 : tensor<1xi64>
  }
  return
}

func.func private @arith.cmpi() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // Less, greater, equal, and -1 against 1, which is 255 as unsigned.
    %x = arith.constant dense<[1, 2, 2, -1]> : tensor<4xi8>
    %y = arith.constant dense<[2, 1, 2, 1]> : tensor<4xi8>
    %eq = arith.cmpi eq, %x, %y : tensor<4xi8>
    // CHECK: cmpi eq: [0, 0, 1, 0]
    tile.print "cmpi eq" %eq : tensor<4xi1>
    %ne = arith.cmpi ne, %x, %y : tensor<4xi8>
    // CHECK: cmpi ne: [1, 1, 0, 1]
    tile.print "cmpi ne" %ne : tensor<4xi1>
    %slt = arith.cmpi slt, %x, %y : tensor<4xi8>
    // CHECK: cmpi slt: [1, 0, 0, 1]
    tile.print "cmpi slt" %slt : tensor<4xi1>
    %sle = arith.cmpi sle, %x, %y : tensor<4xi8>
    // CHECK: cmpi sle: [1, 0, 1, 1]
    tile.print "cmpi sle" %sle : tensor<4xi1>
    %sgt = arith.cmpi sgt, %x, %y : tensor<4xi8>
    // CHECK: cmpi sgt: [0, 1, 0, 0]
    tile.print "cmpi sgt" %sgt : tensor<4xi1>
    %sge = arith.cmpi sge, %x, %y : tensor<4xi8>
    // CHECK: cmpi sge: [0, 1, 1, 0]
    tile.print "cmpi sge" %sge : tensor<4xi1>
    %ult = arith.cmpi ult, %x, %y : tensor<4xi8>
    // CHECK: cmpi ult: [1, 0, 0, 0]
    tile.print "cmpi ult" %ult : tensor<4xi1>
    %ule = arith.cmpi ule, %x, %y : tensor<4xi8>
    // CHECK: cmpi ule: [1, 0, 1, 0]
    tile.print "cmpi ule" %ule : tensor<4xi1>
    %ugt = arith.cmpi ugt, %x, %y : tensor<4xi8>
    // CHECK: cmpi ugt: [0, 1, 0, 1]
    tile.print "cmpi ugt" %ugt : tensor<4xi1>
    %uge = arith.cmpi uge, %x, %y : tensor<4xi8>
    // CHECK: cmpi uge: [0, 1, 1, 1]
    tile.print "cmpi uge" %uge : tensor<4xi1>
    // One bit: as signed true is -1.
    %t = arith.constant true
    %f = arith.constant false
    %s = arith.cmpi slt, %t, %f : i1
    // CHECK: cmpi i1 slt: 1
    tile.print "cmpi i1 slt" %s : i1
    %u = arith.cmpi ult, %t, %f : i1
    // CHECK: cmpi i1 ult: 0
    tile.print "cmpi i1 ult" %u : i1
    %i = arith.constant -1 : index
    %j = arith.constant 0 : index
    %k = arith.cmpi ugt, %i, %j : index
    // CHECK: cmpi index ugt: 1
    tile.print "cmpi index ugt" %k : i1
  }
  return
}

func.func private @arith.select() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // A scalar condition chooses whole fragments, a fragment element by element.
    %t = arith.constant true
    %x = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
    %y = arith.constant dense<[4, 5, 6]> : tensor<3xi32>
    %m = arith.constant dense<[true, false, true]> : tensor<3xi1>
    %w = arith.select %t, %x, %y : tensor<3xi32>
    // CHECK: select whole: [1, 2, 3]
    tile.print "select whole" %w : tensor<3xi32>
    %e = arith.select %m, %x, %y : tensor<3xi1>, tensor<3xi32>
    // CHECK: select each: [1, 5, 3]
    tile.print "select each" %e : tensor<3xi32>
    // Only what is chosen passes on: poison of the other side does not.
    %p = ub.poison : tensor<3xi32>
    %a = arith.select %m, %x, %p : tensor<3xi1>, tensor<3xi32>
    // CHECK: select poison: [1, poison, 3]
    tile.print "select poison" %a : tensor<3xi32>
    %q = ub.poison : i1
    %z = arith.select %q, %x, %y : tensor<3xi32>
    // CHECK: select by poison: [poison, poison, poison]
    tile.print "select by poison" %z : tensor<3xi32>
    %g = arith.constant dense<[1.0, 0x7E00, 3.0]> : tensor<3xf16>
    %h = arith.constant dense<[-0.0, 5.0, -6.0]> : tensor<3xf16>
    %n = arith.constant dense<[false, true, false]> : tensor<3xi1>
    %f = arith.select %n, %g, %h : tensor<3xi1>, tensor<3xf16>
    // CHECK: select f16: [-0, nan, -6]
    tile.print "select f16" %f : tensor<3xf16>
  }
  return
}

func.func private @arith.constant() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %i = arith.constant -1 : i8
    // CHECK: constant i8: -1
    tile.print "constant i8" %i : i8
    %t = arith.constant true
    // CHECK: constant i1: 1
    tile.print "constant i1" %t : i1
    %n = arith.constant -9223372036854775808 : index
    // CHECK: constant index: -9223372036854775808
    tile.print "constant index" %n : index
    %s = arith.constant dense<-7> : tensor<2x2xi4>
    // CHECK: constant splat [0, 0]: [-7, -7]
    // CHECK-NEXT: constant splat [1, 0]: [-7, -7]
    tile.print "constant splat" %s : tensor<2x2xi4>
    %f = arith.constant dense<[-0.0, 0x7F800000, 0x7FC00000, 1.4e-45]> : tensor<4xf32>
    // CHECK: constant f32: [-0, inf, nan, 1.4013e-45]
    tile.print "constant f32" %f : tensor<4xf32>
    %d = arith.constant 1.0e300 : f64
    // CHECK: constant f64: 1e+300
    tile.print "constant f64" %d : f64
    %h = arith.constant dense<[65504.0, 0x7C00]> : tensor<2xf16>
    // CHECK: constant f16: [65504, inf]
    tile.print "constant f16" %h : tensor<2xf16>
    %g = arith.constant dense<1.5> : tensor<1xbf16>
    // CHECK: constant bf16: [1.5]
    tile.print "constant bf16" %g : tensor<1xbf16>
    %p = arith.constant dense<[448.0, 0x7F]> : tensor<2xf8E4M3FN>
    // CHECK: constant f8E4M3FN: [448, nan]
    tile.print "constant f8E4M3FN" %p : tensor<2xf8E4M3FN>
    %q = arith.constant dense<[57344.0, 0x7C]> : tensor<2xf8E5M2>
    // CHECK: constant f8E5M2: [57344, inf]
    tile.print "constant f8E5M2" %q : tensor<2xf8E5M2>
    // Scales are powers of two; 0xff is NaN and 0x00 is 2^-127.
    %e = arith.constant dense<[1.0, 4.0, 0.5, 0xFF, 0x00]> : tensor<5xf8E8M0FNU>
    // CHECK: constant f8E8M0FNU: [1, 4, 0.5, nan, 5.87747e-39]
    tile.print "constant f8E8M0FNU" %e : tensor<5xf8E8M0FNU>
    %es = arith.constant 2.0 : f8E8M0FNU
    // CHECK: constant scale: 2
    tile.print "constant scale" %es : f8E8M0FNU
    %ed = arith.constant dense<8.0> : tensor<2xf8E8M0FNU>
    // CHECK: constant scales: [8, 8]
    tile.print "constant scales" %ed : tensor<2xf8E8M0FNU>
    %r = arith.constant dense<[7.5, 0.125]> : tensor<2xf6E2M3FN>
    // CHECK: constant f6E2M3FN: [7.5, 0.125]
    tile.print "constant f6E2M3FN" %r : tensor<2xf6E2M3FN>
    %u = arith.constant dense<[28.0, 0.0625]> : tensor<2xf6E3M2FN>
    // CHECK: constant f6E3M2FN: [28, 0.0625]
    tile.print "constant f6E3M2FN" %u : tensor<2xf6E3M2FN>
    %v = arith.constant dense<[6.0, -0.5]> : tensor<2xf4E2M1FN>
    // CHECK: constant f4E2M1FN: [6, -0.5]
    tile.print "constant f4E2M1FN" %v : tensor<2xf4E2M1FN>
  }
  return
}

func.func private @ub.poison() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    // Poison passes through arithmetic, element by element, and may be printed.
    %p = ub.poison : i32
    %o = arith.constant 0 : i32
    %z = arith.muli %p, %o : i32
    // CHECK: poison scalar: poison
    tile.print "poison scalar" %z : i32
    %t = ub.poison : tensor<2xf32>
    %n = arith.negf %t : tensor<2xf32>
    // CHECK: poison fragment: [poison, poison]
    tile.print "poison fragment" %n : tensor<2xf32>
  }
  return
}
