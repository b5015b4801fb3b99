// RUN: tile-opt %s --tile-set-target=chip=sm_80 --split-input-file --verify-diagnostics
// RUN: not tile-opt --tile-set-target=chip=sm_1 < /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tile-opt --tile-set-target < /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// UNKNOWN: unknown chip 'sm_1'; known: sm_80, sm_86
// NONE: no chip to compile for; give chip=<name>, known: sm_80, sm_86

// expected-error @+1 {{the module is already meant for 'sm_90a', not for 'sm_80'; leave the chip out, or compile from a source that names none}}
module attributes {tile.target = #tile.target<"sm_90a">} {
}

// -----

func.func @same_name(%n: index) {
  // expected-note @+1 {{the first is here}}
  tile.launch @k blocks(%bx) in (%n) threads(128) {
  }
  return
}
func.func @same_name_again(%n: index) {
  // expected-error @+1 {{a second launch named @k; names of launches are unique in a module}}
  tile.launch @k blocks(%bx) in (%n) threads(128) {
  }
  return
}

// -----

func.func @residency(%n: index) {
  // expected-error @+1 {{min_blocks_per_sm = 8 with 512 threads does not fit sm_80: 4 blocks, 64 of 64 warps, limited by threads}}
  tile.launch blocks(%bx) in (%n) threads(512) attributes {min_blocks_per_sm = 8} {
  }
  return
}

// -----

func.func @registers(%n: index) {
  // expected-error @+1 {{min_blocks_per_sm = 2 with 512 threads of 128 registers does not fit sm_80: 1 block}}
  tile.launch blocks(%bx) in (%n) threads(512) attributes {min_blocks_per_sm = 2, max_registers = 128} {
  }
  return
}

// -----

func.func @too_many_registers(%n: index) {
  // expected-error @+1 {{max_registers = 128 with 1024 threads does not fit sm_80}}
  tile.launch blocks(%bx) in (%n) threads(1024) attributes {max_registers = 128} {
  }
  return
}

// -----

func.func @too_many_registers(%n: index) {
  // expected-error @+1 {{max_registers = 300; a thread of sm_80 has 24 to 255}}
  tile.launch blocks(%bx) in (%n) threads(128) attributes {max_registers = 300} {
  }
  return
}

// -----

// ptxas would take 24 and say so.
func.func @too_few_registers(%n: index) {
  // expected-error @+1 {{max_registers = 23; a thread of sm_80 has 24 to 255}}
  tile.launch blocks(%bx) in (%n) threads(128) attributes {max_registers = 23} {
  }
  tile.launch blocks(%bx) in (%n) threads(128) attributes {max_registers = 24} {
  }
  return
}

// -----

func.func @cluster(%n: index) {
  // expected-error @+1 {{has clusters of 2 blocks; sm_80 has no clusters; leave 'cluster(..)' out, or compile for sm_90a, the first chip that has them}}
  tile.launch blocks(%bx) in (%n) threads(128) cluster(2) {
  }
  return
}

// -----

module attributes {tile.target = #tile.target<"sm_80">} {
func.func @wrong_stage(%n: index) {
  // expected-error @+2 {{tile-set-target needs a launch at stage 'source', this one is at 'logical'}}
  // expected-note @+1 {{the pass to run on it next is tile-version-launches}}
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
  }
  return
}
}

// -----

func.func @name_of_no_kernel(%n: index) {
  // expected-error @+1 {{a kernel cannot be named 'my.kernel': the names of PTX are letters, digits, '_' and '$', and do not begin with a digit; 'my_kernel' would do}}
  tile.launch @my.kernel blocks(%b) in (%n) threads(32) {
  }
  return
}
