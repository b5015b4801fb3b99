// Turns of the warpgroups of a role, which is one program here: it always has the turn.
// RUN: tile-run %s --entry=tile.take_turn --on=reference | FileCheck %s --check-prefix=ROLE
// RUN: tile-run %s --entry=tile.pass_turn --on=reference | FileCheck %s --check-prefix=LAUNCH
// Of several roles each waits for its turn, in every order in which they run.
// RUN: tile-run %s --entry=roles --on=reference --seed=0 | FileCheck %s --check-prefix=ROLES
// RUN: tile-run %s --entry=roles --on=reference --seed=1 | FileCheck %s --check-prefix=ROLES
// RUN: tile-run %s --entry=roles --on=reference --seed=2 | FileCheck %s --check-prefix=ROLES
// RUN: not tile-run %s --entry=one_less --on=reference 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: not tile-run %s --entry=one_more --on=reference 2>&1 | FileCheck %s --check-prefix=MORE

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

func.func @roles() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    tile.specialize
      consumer warps(4) {
        scf.for %i = %c0 to %c2 step %c1 {
          tile.take_turn
          // ROLES: first (block 0, 0, 0): 0
          // ROLES-NEXT: second (block 0, 0, 0): 0
          // ROLES-NEXT: first (block 0, 0, 0): 1
          // ROLES-NEXT: second (block 0, 0, 0): 1
          tile.print "first" %i : index
          tile.barrier
          tile.pass_turn
        }
      }
      consumer warps(4) {
        scf.for %i = %c0 to %c2 step %c1 {
          tile.take_turn
          tile.print "second" %i : index
          tile.pass_turn
        }
      }
  }
  return
}

func.func @one_less() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(256) {
    // LESS: error: {{.*}}a turn is left to consumer 1 at the end; roles that take turns with each other take equally many
    tile.specialize
      consumer warps(4) {
        tile.take_turn
        tile.pass_turn
        tile.take_turn
        tile.pass_turn
      }
      consumer warps(4) {
        tile.take_turn
        tile.pass_turn
      }
  }
  return
}

func.func @one_more() {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(256) {
    // MORE: error: deadlock: each role that is left waits for another
    // MORE: consumer 1 waits for its turn, which another role has
    tile.specialize
      consumer warps(4) {
        tile.take_turn
        tile.pass_turn
      }
      consumer warps(4) {
        tile.take_turn
        tile.pass_turn
        tile.take_turn
        tile.pass_turn
      }
  }
  return
}
