// One JSON document on standard output and nothing else, with the keys and types that
// docs/Running.md has; what the program prints goes to standard error.
// DEFINE: %{schema} = %python %S/Inputs/check-json.py
// RUN: rm -rf %t && mkdir %t
// RUN: tile-run %s --entry=scale --on=emulator --out=0:%t/a.npy > %t/text
// RUN: FileCheck %s --check-prefix=TEXT < %t/text
// TEXT: scaled (block 0, 0, 0): [2
// TEXT: argument 0: memref<64xf32> 64 elements

// RUN: tile-run %s --entry=scale --on=emulator --check=json --stats=json --time=3 --warm-up=0 --expect=0:%t/a.npy > %t/all 2> %t/errors
// RUN: FileCheck %s --check-prefix=ERRORS < %t/errors
// ERRORS: scaled (block 0, 0, 0): [2
// RUN: %{schema} %t/all check=equal files=1 kernels=1 times=3 status=equal executor=emulator

// RUN: tile-run %s --entry=scale --on=emulator --stats=json > %t/counted
// RUN: %{schema} %t/counted kernels=1 status=done
// RUN: tile-run %s --entry=scale --on=emulator --stats=json --check > %t/both
// RUN: %{schema} %t/both kernels=1 check=equal status=equal
// RUN: tile-run %s --entry=scale --on=reference --check=json --check-stages --rtol=1e-3 > %t/stages
// RUN: %{schema} %t/stages stages check=equal status=equal executor=reference tolerance

// A difference, elements that are no numbers, an error in the middle.
// RUN: not tile-run %s --entry=scale --on=emulator --check=json --expect=0:%t/a.npy --data=values(nan,inf,3) > %t/different
// RUN: %{schema} %t/different check=equal files=1 status=different
// RUN: not tile-run %s --entry=fails --on=emulator --check=json > %t/failed
// RUN: %{schema} %t/failed status=error
// RUN: not tile-run %s --entry=scale --on=emulator --stats=json --max-instructions=1 > %t/endless
// RUN: %{schema} %t/endless status=error
// Nothing ran: there is no document.
// RUN: not tile-run %s --entry=scale --on=emulator --check=json --expect=0:%t/nothing > %t/none
// RUN: not test -s %t/none

// RUN: tile-run %s --entry=scale --on=emulator --save-jobs=%t/jobs > %t/saved
// RUN: sh -c 'cd %t/jobs/launch-0 && ptx-run kernel.ptx --stats=json $(cat options)' > %t/ptx
// RUN: %{schema} --ptx-run %t/ptx kernels=1 files=1 status=right
// RUN: not sh -c 'cd %t/jobs/launch-0 && ptx-run kernel.ptx --stats=json $(grep -v expect options) --expect=0:in-0.npy' > %t/ptx
// RUN: %{schema} --ptx-run %t/ptx kernels=1 files=1 status=wrong
func.func @scale(%a: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @scale_kernel blocks(%x) in (%c1) threads(32) {
    %t = tile.load %a : memref<64xf32> -> tensor<64xf32>
    %u = arith.addf %t, %t : tensor<64xf32>
    %two = arith.constant dense<2.0> : tensor<2xf32>
    tile.print "scaled" %two : tensor<2xf32>
    tile.store %u, %a : tensor<64xf32>, memref<64xf32>
  }
  return
}

func.func @fails(%a: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @fails_kernel blocks(%x) in (%c1) threads(32) {
    %false = arith.constant false
    tile.assert %false, "never"
  }
  return
}
