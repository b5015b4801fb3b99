// Turns: what the verifier refuses.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

func.func @without_roles(%n: index) { // take_turn_c1
  tile.launch blocks(%b) in (%n) threads(256) {
    // expected-error @below {{is for the consumers of a launch with roles}}
    tile.take_turn
    tile.pass_turn
  }
  return
}

// -----

func.func @one_warpgroup(%n: index) { // take_turn_c1
  tile.launch blocks(%b) in (%n) threads(128) {
    tile.specialize
      consumer warps(4) {
        // expected-error @below {{is for several warpgroups of four warps, of one role or of all consumers, and there is 1; its role has 4 warps}}
        tile.take_turn
        tile.pass_turn
      }
  }
  return
}

// -----

func.func @warps_left_over(%n: index) { // take_turn_c1
  tile.launch blocks(%b) in (%n) threads(288) {
    tile.specialize
      consumer warps(9) {
        // expected-error @below {{is for several warpgroups of four warps, of one role or of all consumers, and there are 0; its role has 9 warps}}
        tile.take_turn
        tile.pass_turn
      }
  }
  return
}

// -----

func.func @producer(%n: index) { // take_turn_c1
  tile.launch blocks(%b) in (%n) threads(256) {
    tile.specialize
      consumer warps(8) {
      }
      producer warps(8) {
        // expected-error @below {{is for the consumers of a launch with roles}}
        tile.take_turn
        tile.pass_turn
      }
  }
  return
}

// -----

func.func @not_passed(%n: index) { // take_turn_c2
  tile.launch blocks(%b) in (%n) threads(256) {
    tile.specialize
      consumer warps(8) {
        // expected-error @below {{is not followed by a 'tile.pass_turn' in its block; the others would wait for ever}}
        tile.take_turn
      }
  }
  return
}

// -----

func.func @taken_twice(%n: index) { // take_turn_c2
  tile.launch blocks(%b) in (%n) threads(256) {
    tile.specialize
      consumer warps(8) {
        // expected-error @below {{is not followed by a 'tile.pass_turn' in its block; the others would wait for ever}}
        tile.take_turn
        tile.take_turn
        tile.pass_turn
      }
  }
  return
}

// -----

func.func @passed_under_a_condition(%n: index) { // take_turn_c2
  tile.launch blocks(%b) in (%n) threads(256) {
    tile.specialize
      consumer warps(8) {
        %true = arith.constant true
        // expected-error @below {{is not followed by a 'tile.pass_turn' in its block; the others would wait for ever}}
        tile.take_turn
        scf.if %true {
          tile.pass_turn
        }
      }
  }
  return
}

// -----

func.func @passed_first(%n: index) { // pass_turn_c1
  tile.launch blocks(%b) in (%n) threads(256) {
    tile.specialize
      consumer warps(8) {
        // expected-error @below {{ends a turn that is not taken in front of it in its block; put a 'tile.take_turn' there}}
        tile.pass_turn
        tile.take_turn
        tile.pass_turn
      }
  }
  return
}

// -----

func.func @passed_twice(%n: index) { // pass_turn_c1
  tile.launch blocks(%b) in (%n) threads(256) {
    tile.specialize
      consumer warps(8) {
        tile.take_turn
        tile.pass_turn
        // expected-error @below {{ends a turn that is not taken in front of it in its block; put a 'tile.take_turn' there}}
        tile.pass_turn
      }
  }
  return
}

// -----

func.func @meeting(%n: index) { // take_turn_c3
  tile.launch blocks(%b) in (%n) threads(256) {
    tile.specialize
      consumer warps(8) {
        // expected-error @below {{begins a turn in which a warpgroup waits for one whose turn comes after it; pass the turn on before}}
        tile.take_turn
        // expected-note @below {{it waits here}}
        tile.barrier
        tile.pass_turn
      }
  }
  return
}

// -----

func.func @meeting_of_roles(%n: index) { // take_turn_c3
  tile.launch blocks(%b) in (%n) threads(256) {
    tile.specialize
      consumer warps(8) {
        %true = arith.constant true
        // expected-error @below {{begins a turn in which a warpgroup waits for one whose turn comes after it; pass the turn on before}}
        tile.take_turn
        scf.if %true {
          // expected-note @below {{it waits here}}
          tile.barrier {id = 1 : i64, warps = 8 : i64}
        }
        tile.pass_turn
      }
  }
  return
}

// -----

func.func @meeting_of_teams(%n: index) { // take_turn_c3
  tile.launch blocks(%b) in (%n) threads(256) {
    tile.specialize
      consumer warps(4) {
        // expected-error @below {{begins a turn in which a warpgroup waits for one whose turn comes after it; pass the turn on before}}
        tile.take_turn
        // expected-note @below {{it waits here}}
        tile.barrier {id = 1 : i64, warps = 8 : i64}
        tile.pass_turn
      }
      consumer warps(4) {
        tile.take_turn
        tile.pass_turn
        tile.barrier {id = 1 : i64, warps = 8 : i64}
      }
  }
  return
}

// -----

func.func @turn_in_a_turn(%n: index) { // take_turn_c3
  tile.launch blocks(%b) in (%n) threads(256) {
    tile.specialize
      consumer warps(8) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        // expected-error @below {{begins a turn in which a warpgroup waits for one whose turn comes after it; pass the turn on before}}
        tile.take_turn
        scf.for %i = %c0 to %n step %c1 {
          // expected-note @below {{it waits here}}
          tile.take_turn
          tile.pass_turn
        }
        tile.pass_turn
      }
  }
  return
}

// -----

func.func @by_one_thread(%n: index) {
  tile.launch blocks(%b) in (%n) threads(256) attributes {roles = #tile.roles<<consumer, warps = 8>>} {
    tile.once {
      // expected-error @below {{cannot stand in the body of a 'tile.once'}}
      tile.take_turn
      tile.pass_turn
    }
  }
  return
}

// -----

func.func @unknown(%n: index) {
  // expected-error @+2 {{expected ::mlir::tile::Consumers to be one of: auto, cooperative, alternating, pingpong}}
  // expected-error @+1 {{failed to parse Tile_ConsumersAttr parameter 'value'}}
  tile.launch blocks(%b) in (%n) threads(256) attributes {consumers = #tile.consumers<turns>} {
  }
  return
}
