// All encodings of the narrow floats: decoding and encoding give the bits back, and
// the two ways to round (from f32, on bits; from f64, by arithmetic) agree on every
// f16 and bf16 value, on the points halfway to the next one and beside them.
// RUN: tile-run %s --entry=round_trip --on=reference --data=iota
// RUN: tile-run %s --entry=halfway --on=reference --data=iota

func.func @round_trip(%h: memref<65536xi16>, %b: memref<256xi8>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %i = tile.load %h : memref<65536xi16> -> tensor<65536xi16>
    %f = arith.bitcast %i : tensor<65536xi16> to tensor<65536xf16>
    %fw = arith.extf %f : tensor<65536xf16> to tensor<65536xf32>
    %fn = arith.truncf %fw : tensor<65536xf32> to tensor<65536xf16>
    %fi = arith.bitcast %fn : tensor<65536xf16> to tensor<65536xi16>
    %g = arith.bitcast %i : tensor<65536xi16> to tensor<65536xbf16>
    %gw = arith.extf %g : tensor<65536xbf16> to tensor<65536xf32>
    %gn = arith.truncf %gw : tensor<65536xf32> to tensor<65536xbf16>
    %gi = arith.bitcast %gn : tensor<65536xbf16> to tensor<65536xi16>
    tile.parallel (%k) in (65536) {
      %bits = tensor.extract %i[%k] : tensor<65536xi16>
      %ff = tensor.extract %f[%k] : tensor<65536xf16>
      %fb = tensor.extract %fi[%k] : tensor<65536xi16>
      %fe = arith.cmpi eq, %bits, %fb : i16
      %fz = math.isnan %ff : f16
      %fo = arith.ori %fe, %fz : i1
      tile.assert %fo, "f16"
      %gg = tensor.extract %g[%k] : tensor<65536xbf16>
      %gb = tensor.extract %gi[%k] : tensor<65536xi16>
      %ge = arith.cmpi eq, %bits, %gb : i16
      %gz = math.isnan %gg : bf16
      %go = arith.ori %ge, %gz : i1
      tile.assert %go, "bf16"
    }
    %j = tile.load %b : memref<256xi8> -> tensor<256xi8>
    %p = tile.bitcast %j : tensor<256xi8> -> tensor<256xf8E4M3FN>
    %pw = arith.extf %p : tensor<256xf8E4M3FN> to tensor<256xf32>
    %pn = arith.truncf %pw : tensor<256xf32> to tensor<256xf8E4M3FN>
    %pi = tile.bitcast %pn : tensor<256xf8E4M3FN> -> tensor<256xi8>
    %q = tile.bitcast %j : tensor<256xi8> -> tensor<256xf8E5M2>
    %qw = arith.extf %q : tensor<256xf8E5M2> to tensor<256xf32>
    %qn = arith.truncf %qw : tensor<256xf32> to tensor<256xf8E5M2>
    %qi = tile.bitcast %qn : tensor<256xf8E5M2> -> tensor<256xi8>
    tile.parallel (%k) in (256) {
      %bits = tensor.extract %j[%k] : tensor<256xi8>
      %pv = tensor.extract %pw[%k] : tensor<256xf32>
      %pb = tensor.extract %pi[%k] : tensor<256xi8>
      %pe = arith.cmpi eq, %bits, %pb : i8
      %pz = math.isnan %pv : f32
      %po = arith.ori %pe, %pz : i1
      tile.assert %po, "f8E4M3FN"
      // Infinities saturate when they are converted.
      %qv = tensor.extract %qw[%k] : tensor<256xf32>
      %qb = tensor.extract %qi[%k] : tensor<256xi8>
      %qe = arith.cmpi eq, %bits, %qb : i8
      %qf = math.isfinite %qv : f32
      %true = arith.constant true
      %qz = arith.xori %qf, %true : i1
      %qo = arith.ori %qe, %qz : i1
      tile.assert %qo, "f8E5M2"
    }
  }
  return
}

func.func @halfway(%h: memref<65536xi16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %i = tile.load %h : memref<65536xi16> -> tensor<65536xi16>
    %f = arith.bitcast %i : tensor<65536xi16> to tensor<65536xf16>
    %fw = arith.extf %f : tensor<65536xf16> to tensor<65536xf32>
    %fi = arith.bitcast %fw : tensor<65536xf32> to tensor<65536xi32>
    %half = arith.constant dense<4096> : tensor<65536xi32>
    %one = arith.constant dense<1> : tensor<65536xi32>
    %mid = arith.addi %fi, %half : tensor<65536xi32>
    %above = arith.addi %mid, %one : tensor<65536xi32>
    %below = arith.subi %mid, %one : tensor<65536xi32>
    %c0 = arith.constant 0 : index
    %c1i = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    tile.parallel (%k) in (65536) {
      scf.for %which = %c0 to %c3 step %c1i {
        %a = tensor.extract %mid[%k] : tensor<65536xi32>
        %b = tensor.extract %above[%k] : tensor<65536xi32>
        %c = tensor.extract %below[%k] : tensor<65536xi32>
        %is0 = arith.cmpi eq, %which, %c0 : index
        %is1 = arith.cmpi eq, %which, %c1i : index
        %bc = arith.select %is1, %b, %c : i32
        %bits = arith.select %is0, %a, %bc : i32
        %v = arith.bitcast %bits : i32 to f32
        %w = arith.extf %v : f32 to f64
        %n = arith.truncf %v : f32 to f16
        %m = arith.truncf %w : f64 to f16
        %nb = arith.bitcast %n : f16 to i16
        %mb = arith.bitcast %m : f16 to i16
        %e = arith.cmpi eq, %nb, %mb : i16
        %z = math.isnan %v : f32
        %o = arith.ori %e, %z : i1
        tile.assert %o, "f16 from f32 and from f64"
        %r = arith.truncf %v : f32 to bf16
        %s = arith.truncf %w : f64 to bf16
        %rb = arith.bitcast %r : bf16 to i16
        %sb = arith.bitcast %s : bf16 to i16
        %u = arith.cmpi eq, %rb, %sb : i16
        %t = arith.ori %u, %z : i1
        tile.assert %t, "bf16 from f32 and from f64"
      }
    }
  }
  return
}
