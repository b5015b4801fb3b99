// Programs are reduced by what the compiler says of them, by a report of the emulator, and
// by a program of one's own; and as mlir-reduce does it.
// RUN: tile-reduce %s --fails="bytes of shared memory" --chip=sm_80 2>/dev/null | FileCheck %s --check-prefix=LARGE
// LARGE: tile.alloc : memref<512x512xf32
// LARGE-NOT: tile.alloc
// LARGE-NOT: arith.addf
// LARGE: return

// RUN: tile-reduce %s --run-fails="depends on memory that nobody wrote" 2>/dev/null -- --on=reference | FileCheck %s --check-prefix=UNWRITTEN
// UNWRITTEN: %[[BUFFER:.*]] = tile.alloc : memref<64xf32
// UNWRITTEN-NEXT: %[[LOADED:.*]] = tile.load %[[BUFFER]]
// UNWRITTEN-NEXT: tile.store %[[LOADED]]
// UNWRITTEN-NEXT: }

// RUN: echo "#!/bin/sh" > %t.sh && echo "grep -q addf \$1" >> %t.sh && echo "test \$? -ne 0 || exit 1" >> %t.sh && echo "exit 0" >> %t.sh && chmod +x %t.sh
// RUN: tile-reduce %s --test=%t.sh 2>/dev/null | FileCheck %s --check-prefix=OWN
// OWN: func.func @main
// OWN-NOT: tile.load
// OWN: arith.addf
// OWN-NOT: tile.store
// OWN: return

// RUN: tile-reduce %s --reduction-tree="traversal-mode=0 test=%t.sh" | FileCheck %s --check-prefix=TREE
// TREE: arith.addf
// RUN: cp %t.sh "%t with blanks.sh" && tile-reduce %s --test="%t with blanks.sh" 2>/dev/null | FileCheck %s --check-prefix=OWN
// RUN: echo "#!/bin/sh" > %t.dies && echo "grep -q addf \$1 && kill -SEGV \$\$" >> %t.dies && echo "exit 0" >> %t.dies && chmod +x %t.dies
// RUN: tile-reduce %s --test=%t.dies 2>/dev/null | FileCheck %s --check-prefix=OWN
// RUN: echo "#!/bin/sh" > %t.hangs && echo "exec sleep 60" >> %t.hangs && chmod +x %t.hangs
// RUN: not tile-reduce %s --test=%t.hangs --timeout=1 2>&1 | FileCheck %s --check-prefix=HANGS
// HANGS: error: '{{.*}}messages.mlir' is not what is looked for: takes too long
// RUN: not tile-reduce %t.none --test=%t.sh 2>&1 | FileCheck %s --check-prefix=INPUT
// INPUT: error: cannot read '{{.*}}none': No such file or directory
// RUN: not tile-reduce %s --test=%t.sh -o %t.none/small.mlir 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: error: cannot write '{{.*}}none/small.mlir': No such file or directory
// RUN: not tile-reduce %s --test=%t.sh -o %S 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: -o '{{.*}}': expected a file
// RUN: not tile-reduce %s --differs --tools=%t.none 2>&1 | FileCheck %s --check-prefix=TOOLS
// TOOLS: is not what is looked for: cannot run '{{.*}}none/tile-run'
// Of a test that changes its mind what is left is written, and not called right.
// RUN: rm -f %t.tried && echo "#!/bin/sh" > %t.fickle && echo "echo >> %t.tried; test \$(wc -l < %t.tried) -gt 4" >> %t.fickle && chmod +x %t.fickle
// RUN: echo "#!/bin/sh" > %t.turns && echo "%t.fickle && exit 0; exit 1" >> %t.turns && chmod +x %t.turns
// RUN: not tile-reduce %s --test=%t.turns -o %t.small 2>&1 | FileCheck %s --check-prefix=TURNS
// TURNS: error: '{{.*}}small' is not what is looked for, though it was when it was tried
// RUN: not tile-reduce %s --test=%t.none 2>&1 | FileCheck %s --check-prefix=PROGRAM
// PROGRAM: error: --test={{.*}}none: no such program
// RUN: not tile-reduce %s --test=%t.sh -- --dim=M:3 2>&1 | FileCheck %s --check-prefix=ARGUMENTS
// ARGUMENTS: error: a program of your own (--test) gets no arguments of ours

#shared = #gpu.address_space<workgroup>
func.func @main(%x: memref<512x512xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.launch @large blocks(%b) in (%c1) threads(128) {
    %s = tile.alloc : memref<512x512xf32, #shared>
    %small = tile.alloc : memref<64xf32, #shared>
    %v = tile.load %small : memref<64xf32, #shared> -> tensor<64xf32>
    %w = arith.addf %v, %v : tensor<64xf32>
    tile.store %w, %y : tensor<64xf32>, memref<64xf32>
    tile.copy %x to %s : memref<512x512xf32> to memref<512x512xf32, #shared>
    tile.copy %s to %x : memref<512x512xf32, #shared> to memref<512x512xf32>
  }
  return
}
