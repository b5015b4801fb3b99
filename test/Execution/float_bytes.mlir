// Floats of 8 bits, four in a word: each is converted as alone. All bits that there are of 8 and
// of 16, and f32 at and beside each place between two numbers of 8 bits.
// DEFINE: %{type} =
// DEFINE: %{chip} =
// DEFINE: %{run} = sed -e 's/BYTE/%{type}/g' %s | tile-run - --on=emulator --check --rtol=0 --atol=0
// DEFINE: %{all} = %{run} --entry=widen --data=0:iota --chip=%{chip} && %{run} --entry=narrow --data=0:iota --chip=%{chip} && %{run} --entry=single_bytes --chip=%{chip} && %{run} --entry=copies --data=0:iota --chip=%{chip} --shape=4:13x53 --shape=5:13x53 --shape=6:13x53
// REDEFINE: %{type} = f8E4M3FN
// REDEFINE: %{chip} = sm_80
// RUN: %{all}
// REDEFINE: %{chip} = sm_89
// RUN: %{all}
// REDEFINE: %{chip} = sm_90a
// RUN: %{all}
// REDEFINE: %{chip} = sm_120a
// RUN: %{all}
// REDEFINE: %{type} = f8E5M2
// REDEFINE: %{chip} = sm_80
// RUN: %{all}
// REDEFINE: %{chip} = sm_89
// RUN: %{all}
// REDEFINE: %{chip} = sm_90a
// RUN: %{all}
// REDEFINE: %{chip} = sm_120a
// RUN: %{all}
// RUN: sed -e 's/BYTE/f8E4M3FN/g' %s | tile-opt - --emit=ptx --chip=sm_80 | FileCheck %s --check-prefix=LOGIC
// RUN: sed -e 's/BYTE/f8E4M3FN/g' %s | tile-opt - --emit=ptx --chip=sm_89 | FileCheck %s --check-prefixes=PAIRS,E4M3
// RUN: sed -e 's/BYTE/f8E5M2/g' %s | tile-opt - --emit=ptx --chip=sm_90a | FileCheck %s --check-prefixes=PAIRS,E5M2

// Two instructions for four: no byte is taken out of its word, and none is a NaN by comparison.
// LOGIC-LABEL: .entry widened(
// LOGIC-NOT: setp.{{eq|ne|gt}}
// LOGIC: shf.{{[lr]}}.wrap.b32
// LOGIC-COUNT-2: prmt.b32
// LOGIC-COUNT-2: mul.rn.f16x2
// LOGIC-NOT: setp.{{eq|ne|gt}}
// LOGIC-LABEL: .entry alone(
// PAIRS-LABEL: .entry widened(
// E4M3-COUNT-2: cvt.rn.f16x2.e4m3x2
// E5M2-NOT: cvt.{{.*}}e5m2
// E5M2-COUNT-2: prmt.b32
// PAIRS-COUNT-2: cvt.rn.bf16x2.f32
// PAIRS-LABEL: .entry alone(
func.func @widen(%a: memref<256xi8>, %h: memref<256xf16>, %b: memref<256xbf16>, %s: memref<256xf32>, %d: memref<256xf64>, %o: memref<37xf16>, %p: memref<37xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @widened blocks(%block) in (%c1) threads(64) {
    %bits = tile.load %a : memref<256xi8> -> tensor<256xi8>
    %t = arith.bitcast %bits : tensor<256xi8> to tensor<256xBYTE>
    %half = arith.extf %t : tensor<256xBYTE> to tensor<256xf16>
    tile.store %half, %h : tensor<256xf16>, memref<256xf16>
    %brain = arith.extf %t : tensor<256xBYTE> to tensor<256xbf16>
    tile.store %brain, %b : tensor<256xbf16>, memref<256xbf16>
    %single = arith.extf %t : tensor<256xBYTE> to tensor<256xf32>
    tile.store %single, %s : tensor<256xf32>, memref<256xf32>
    %double = arith.extf %t : tensor<256xBYTE> to tensor<256xf64>
    tile.store %double, %d : tensor<256xf64>, memref<256xf64>
  }
  // One register of each, and scalars.
  tile.launch @alone blocks(%block) in (%c1) threads(64) {
    %c110 = arith.constant 110 : index
    %bits = tile.load %a[%c110] [37] : memref<256xi8> -> tensor<37xi8>
    %t = arith.bitcast %bits : tensor<37xi8> to tensor<37xBYTE>
    %half = arith.extf %t : tensor<37xBYTE> to tensor<37xf16>
    tile.store %half, %o : tensor<37xf16>, memref<37xf16>
    tile.parallel (%i) in (37) {
      %at = arith.addi %i, %c110 : index
      %e = memref.load %a[%at] : memref<256xi8>
      %f = arith.bitcast %e : i8 to BYTE
      %x = arith.extf %f : BYTE to f32
      memref.store %x, %p[%i] : memref<37xf32>
    }
  }
  return
}

// PAIRS-LABEL: .entry halves(
// E4M3: cvt.rn.satfinite.e4m3x2.f16x2
// E5M2: cvt.rn.satfinite.e5m2x2.f16x2
// PAIRS-LABEL: .entry brains(
// PAIRS-NOT: satfinite{{.*}}.f32 %{{.*}}, 0f00000000
// PAIRS-LABEL: .entry singles(
// PAIRS-NOT: satfinite{{.*}}.f32 %{{.*}}, 0f00000000
// PAIRS: ret;
func.func @narrow(%a: memref<65536xi16>, %h: memref<65536xBYTE>, %b: memref<65536xBYTE>, %s: memref<3x65536xBYTE>) {
  %c16 = arith.constant 16 : index
  %c3 = arith.constant 3 : index
  tile.launch @halves blocks(%block) in (%c16) threads(128) {
    %c4096 = arith.constant 4096 : index
    %at = arith.muli %block, %c4096 : index
    %bits = tile.load %a[%at] [4096] : memref<65536xi16> -> tensor<4096xi16>
    %t = arith.bitcast %bits : tensor<4096xi16> to tensor<4096xf16>
    %byte = arith.truncf %t : tensor<4096xf16> to tensor<4096xBYTE>
    tile.store %byte, %h[%at] [4096] : tensor<4096xBYTE>, memref<65536xBYTE>
  }
  tile.launch @brains blocks(%block) in (%c16) threads(128) {
    %c4096 = arith.constant 4096 : index
    %at = arith.muli %block, %c4096 : index
    %bits = tile.load %a[%at] [4096] : memref<65536xi16> -> tensor<4096xi16>
    %t = arith.bitcast %bits : tensor<4096xi16> to tensor<4096xbf16>
    %byte = arith.truncf %t : tensor<4096xbf16> to tensor<4096xBYTE>
    tile.store %byte, %b[%at] [4096] : tensor<4096xBYTE>, memref<65536xBYTE>
  }
  tile.launch @singles blocks(%row, %block) in (%c3, %c16) threads(128) {
    %c4096 = arith.constant 4096 : index
    %at = arith.muli %block, %c4096 : index
    %bits = tile.load %a[%at] [4096] : memref<65536xi16> -> tensor<4096xi16>
    %wide = arith.extui %bits : tensor<4096xi16> to tensor<4096xi32>
    %places = arith.constant dense<16> : tensor<4096xi32>
    %upper = arith.shli %wide, %places : tensor<4096xi32>
    %i = arith.index_cast %row : index to i32
    %one = arith.constant 1 : i32
    %low = arith.subi %i, %one : i32
    %lows = tensor.splat %low : tensor<4096xi32>
    %sum = arith.addi %upper, %lows : tensor<4096xi32>
    %t = arith.bitcast %sum : tensor<4096xi32> to tensor<4096xf32>
    %byte = arith.truncf %t : tensor<4096xf32> to tensor<4096xBYTE>
    %row_of = tensor.expand_shape %byte [[0, 1]] output_shape [1, 4096] : tensor<4096xBYTE> into tensor<1x4096xBYTE>
    tile.store %row_of, %s[%row, %at] [1, 4096] : tensor<1x4096xBYTE>, memref<3x65536xBYTE>
  }
  return
}

// Loads and stores that convert; those of a size that only the launch knows are cut.
func.func @copies(%a: memref<256xi8>, %bytes: memref<256xBYTE>, %h: memref<256xf16>, %b: memref<256xBYTE>, %n: memref<?x?xBYTE>, %r: memref<?x?xf16>, %back: memref<?x?xBYTE>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%block) in (%c1) threads(32) {
    %bits = tile.load %a : memref<256xi8> -> tensor<256xi8>
    %t = arith.bitcast %bits : tensor<256xi8> to tensor<256xBYTE>
    tile.store %t, %bytes : tensor<256xBYTE>, memref<256xBYTE>
  }
  tile.launch blocks(%block) in (%c1) threads(32) {
    %half = tile.load %bytes : memref<256xBYTE> -> tensor<256xf16>
    tile.store %half, %h : tensor<256xf16>, memref<256xf16>
    tile.store %half, %b : tensor<256xf16>, memref<256xBYTE>
    %c0 = arith.constant 0 : index
    %cut = tile.load %n[%c0, %c0] [16, 64] : memref<?x?xBYTE> -> tensor<16x64xf16>
    tile.store %cut, %r[%c0, %c0] [16, 64] : tensor<16x64xf16>, memref<?x?xf16>
    tile.store %cut, %back[%c0, %c0] [16, 64] : tensor<16x64xf16>, memref<?x?xBYTE>
  }
  return
}

// Bytes that are loaded one by one.
// LOGIC-LABEL: .entry apart(
// LOGIC-COUNT-8: ld.global.nc.b8
// LOGIC-COUNT-2: shf.{{[lr]}}.wrap.b32
// LOGIC-NOT: shf.{{[lr]}}.wrap.b32
// LOGIC: ret;
func.func @single_bytes(%a: memref<8x129xBYTE>, %b: memref<128x8xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @apart blocks(%block) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] [8, 128] : memref<8x129xBYTE> -> tensor<8x128xf16>
    %t = tile.transpose %x [1, 0] : tensor<8x128xf16> -> tensor<128x8xf16>
    tile.store %t, %b : tensor<128x8xf16>, memref<128x8xf16>
  }
  return
}
