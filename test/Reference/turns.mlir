// Turns of the warpgroups of a role, which is one program here: it always has the turn.
// RUN: tile-run %s --entry=tile.take_turn --on=reference | FileCheck %s --check-prefix=ROLE
// RUN: tile-run %s --entry=tile.pass_turn --on=reference | FileCheck %s --check-prefix=LAUNCH

func.func @tile.take_turn() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    tile.specialize
      consumer warps(8) {
        scf.for %i = %c0 to %c3 step %c1 {
          tile.take_turn
          // ROLE: turn (block 0, 0, 0): 0
          // ROLE-NEXT: turn (block 0, 0, 0): 1
          // ROLE-NEXT: turn (block 0, 0, 0): 2
          tile.print "turn" %i : index
          tile.pass_turn
        }
      }
      producer warps(4) {
      }
  }
  return
}

func.func @tile.pass_turn() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(256) attributes {roles = #tile.roles<<consumer, warps = 8>, <producer, warps = 4>>} {
    tile.take_turn
    tile.pass_turn
    // LAUNCH: behind (block 0, 0, 0): 1
    tile.print "behind" %c1 : index
    tile.take_turn
    tile.pass_turn
  }
  return
}
