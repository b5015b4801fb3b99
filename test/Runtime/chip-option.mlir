// One rule for --chip in tile-opt --emit and tile-run: without it the module's own chip,
// else the oldest, which is said; a name that is none says what may be meant.
// RUN: tile-opt %s --emit=ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: tile-run %s --on=emulator 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: tile-opt %s --emit=ptx --chip=sm_90a -o %t.ptx 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty
// RUN: tile-run %s --on=emulator --chip=sm_90a 2>&1 | FileCheck %s --check-prefix=SILENT
// RUN: tile-run %s --on=reference 2>&1 | FileCheck %s --check-prefix=SILENT
// RUN: tile-opt %s --tile-set-target=chip=sm_86 -o %t.mlir
// RUN: tile-opt %t.mlir --emit=ptx 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: tile-run %t.mlir --on=emulator 2>&1 | FileCheck %s --check-prefix=SILENT
// RUN: not tile-opt %s --tile-compile 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tile-opt %s --tile-compile=chip=sm_90 2>&1 | FileCheck %s --check-prefix=MEANT
// RUN: not tile-opt %s --emit=ptx --chip=sm_90 2>&1 | FileCheck %s --check-prefix=MEANT
// RUN: not tile-run %s --chip=sm_90 2>&1 | FileCheck %s --check-prefix=MEANT
// RUN: not tile-run %s --chip=sm_100 2>&1 | FileCheck %s --check-prefix=BLACKWELL
// RUN: not tile-run %s --chip=SM80 2>&1 | FileCheck %s --check-prefix=WRITTEN
// RUN: not tile-run %s --chip=sm_75 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tile-opt %s --emit=foo --chip=sm_80 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not tile-opt %s --emit= --chip=sm_80 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not tile-opt %s --emit=report --format=xml --chip=sm_80 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not tile-opt %s --chip=sm_80 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not tile-opt %s --format=json 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not tile-opt %s --chp=sm_80 2>&1 | FileCheck %s --check-prefix=NEAR
// RUN: not tile-opt %s --emt=ptx --chip=sm_80 2>&1 | FileCheck %s --check-prefix=NEAR-EMIT
// RUN: not tile-opt %s --emti=ptx --chip=sm_80 2>&1 | FileCheck %s --check-prefix=NEAR-EMIT
// RUN: not tile-opt %s --emit=ptx --chp=sm_80 2>&1 | FileCheck %s --check-prefix=LLVM
// RUN: not tile-opt %s --tile-infer-layout 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: tile-opt --help | FileCheck %s --check-prefix=HELP
// RUN: tile-opt --emit=ptx --help | FileCheck %s --check-prefix=HELP

// TAKEN: {{^}}note: no chip is given; compiling for sm_80 (--chip=NAME chooses)
// PTX: .target sm_80
// SILENT-NOT: no chip
// OWN-NOT: no chip
// OWN: .target sm_86
// NONE: chip-option.mlir:{{.*}} error: no chip to compile for; give chip=<name>, known: sm_80,
// MEANT: error: unknown chip 'sm_90'; did you mean 'sm_90a'? known: sm_80, sm_86,
// BLACKWELL: error: unknown chip 'sm_100'; did you mean 'sm_100a'? known:
// WRITTEN: error: unknown chip 'SM80'; did you mean 'sm_80'? known:
// UNKNOWN: error: unknown chip 'sm_75'; known:
// KIND: {{^}}error: --emit={{.*}}: known are ptx, llvm, nvvm, cubin, report, arena, layouts, object, header and html
// FORMAT: {{^}}error: --format=xml: known are text, json and svg
// MISSING: {{^}}error: --{{chip|format}} belongs to --emit=KIND, which is missing; passes take options as in --tile-compile=chip=..
// NEAR: {{^}}error: unknown option '--chp=sm_80'; did you mean '--chip'?
// NEAR-EMIT: {{^}}error: unknown option '--{{emt|emti}}=ptx'; did you mean '--emit'?
// LLVM: Did you mean '--chip=sm_80'?
// PASS: Did you mean '--tile-infer-layouts'?
// HELP: OVERVIEW: tile-opt
// HELP-NOT: USAGE
// HELP: --emit=KIND
// HELP: --chip=NAME
// HELP: --format=FORMAT
// HELP: USAGE
func.func @copy(%a: memref<128xf32>, %b: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @k blocks(%x) in (%c1) threads(32) {
    %t = tile.load %a : memref<128xf32> -> tensor<128xf32>
    tile.store %t, %b : tensor<128xf32>, memref<128xf32>
  }
  return
}
