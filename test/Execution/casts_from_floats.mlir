// Every conversion of arith from a float to every element type: on fragments (row 0 of
// a result), on the scalars of iterations (row 1) and on scalars of the block (row 2).
// Each rounds once, so nothing is tolerated. The second operation is of magnitudes, as
// what an unsigned integer does not hold is unspecified.
// DEFINE: %{from} =
// DEFINE: %{cast} = sed -e 's/FROM/%{from}/g'
// DEFINE: %{check} = tile-run %t.mlir --entry=cast --on=emulator --check --rtol=0 --atol=0 --data='0:normal(0,20)'
// DEFINE: %{run} = %s > %t.mlir && %{check} --chip=sm_80 && %{check} --chip=sm_90a
// REDEFINE: %{from} = f64
// RUN: %{cast} -e 's/FIRST\|SECOND/truncf/g; s/TO/f32/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/truncf/g; s/TO/f16/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/truncf/g; s/TO/bf16/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/truncf/g; s/TO/f8E4M3FN/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/truncf/g; s/TO/f8E5M2/g' %{run}
// RUN: %{cast} -e 's/FIRST/fptosi/g; s/SECOND/fptoui/g; s/TO/i8/g' %{run}
// RUN: %{cast} -e 's/FIRST/fptosi/g; s/SECOND/fptoui/g; s/TO/i16/g' %{run}
// RUN: %{cast} -e 's/FIRST/fptosi/g; s/SECOND/fptoui/g; s/TO/i32/g' %{run}
// RUN: %{cast} -e 's/FIRST/fptosi/g; s/SECOND/fptoui/g; s/TO/i64/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/bitcast/g; s/TO/i64/g' %{run}
// REDEFINE: %{from} = f32
// RUN: %{cast} -e 's/FIRST\|SECOND/extf/g; s/TO/f64/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/truncf/g; s/TO/f16/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/truncf/g; s/TO/bf16/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/truncf/g; s/TO/f8E4M3FN/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/truncf/g; s/TO/f8E5M2/g' %{run}
// RUN: %{cast} -e 's/FIRST/fptosi/g; s/SECOND/fptoui/g; s/TO/i8/g' %{run}
// RUN: %{cast} -e 's/FIRST/fptosi/g; s/SECOND/fptoui/g; s/TO/i16/g' %{run}
// RUN: %{cast} -e 's/FIRST/fptosi/g; s/SECOND/fptoui/g; s/TO/i32/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/bitcast/g; s/TO/i32/g' %{run}
// RUN: %{cast} -e 's/FIRST/fptosi/g; s/SECOND/fptoui/g; s/TO/i64/g' %{run}
// REDEFINE: %{from} = f16
// RUN: %{cast} -e 's/FIRST\|SECOND/extf/g; s/TO/f64/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/extf/g; s/TO/f32/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/truncf/g; s/TO/f8E4M3FN/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/truncf/g; s/TO/f8E5M2/g' %{run}
// RUN: %{cast} -e 's/FIRST/fptosi/g; s/SECOND/fptoui/g; s/TO/i8/g' %{run}
// RUN: %{cast} -e 's/FIRST/fptosi/g; s/SECOND/fptoui/g; s/TO/i16/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/bitcast/g; s/TO/i16/g' %{run}
// RUN: %{cast} -e 's/FIRST/fptosi/g; s/SECOND/fptoui/g; s/TO/i32/g' %{run}
// RUN: %{cast} -e 's/FIRST/fptosi/g; s/SECOND/fptoui/g; s/TO/i64/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/bitcast/g; s/TO/bf16/g' %{run}
// REDEFINE: %{from} = bf16
// RUN: %{cast} -e 's/FIRST\|SECOND/extf/g; s/TO/f64/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/extf/g; s/TO/f32/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/truncf/g; s/TO/f8E4M3FN/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/truncf/g; s/TO/f8E5M2/g' %{run}
// RUN: %{cast} -e 's/FIRST/fptosi/g; s/SECOND/fptoui/g; s/TO/i8/g' %{run}
// RUN: %{cast} -e 's/FIRST/fptosi/g; s/SECOND/fptoui/g; s/TO/i16/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/bitcast/g; s/TO/i16/g' %{run}
// RUN: %{cast} -e 's/FIRST/fptosi/g; s/SECOND/fptoui/g; s/TO/i32/g' %{run}
// RUN: %{cast} -e 's/FIRST/fptosi/g; s/SECOND/fptoui/g; s/TO/i64/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/bitcast/g; s/TO/f16/g' %{run}
// REDEFINE: %{cast} = sed -e 's/FROM/%{from}/g; /absf/d; s/%%abs/%%t/; s/%%p/%%e/'
// REDEFINE: %{from} = f8E4M3FN
// RUN: %{cast} -e 's/FIRST\|SECOND/extf/g; s/TO/f64/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/extf/g; s/TO/f32/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/extf/g; s/TO/f16/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/extf/g; s/TO/bf16/g' %{run}
// REDEFINE: %{from} = f8E5M2
// RUN: %{cast} -e 's/FIRST\|SECOND/extf/g; s/TO/f64/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/extf/g; s/TO/f32/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/extf/g; s/TO/f16/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/extf/g; s/TO/bf16/g' %{run}

func.func @cast(%a: memref<37xFROM>, %o: memref<3x37xTO>, %u: memref<3x37xTO>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 37 : index
    %t = tile.load %a : memref<37xFROM> -> tensor<37xFROM>
    %abs = math.absf %t : tensor<37xFROM>
    %first = arith.FIRST %t : tensor<37xFROM> to tensor<37xTO>
    tile.store %first, %o[%c0, %c0] [1, 37] : tensor<37xTO>, memref<3x37xTO>
    %second = arith.SECOND %abs : tensor<37xFROM> to tensor<37xTO>
    tile.store %second, %u[%c0, %c0] [1, 37] : tensor<37xTO>, memref<3x37xTO>
    tile.parallel (%i) in (37) {
      %e = memref.load %a[%i] : memref<37xFROM>
      %p = math.absf %e : FROM
      %x = arith.FIRST %e : FROM to TO
      memref.store %x, %o[%c1, %i] : memref<3x37xTO>
      %y = arith.SECOND %p : FROM to TO
      memref.store %y, %u[%c1, %i] : memref<3x37xTO>
    }
    scf.for %i = %c0 to %n step %c1 {
      %e = memref.load %a[%i] : memref<37xFROM>
      %p = math.absf %e : FROM
      %x = arith.FIRST %e : FROM to TO
      memref.store %x, %o[%c2, %i] : memref<3x37xTO>
      %y = arith.SECOND %p : FROM to TO
      memref.store %y, %u[%c2, %i] : memref<3x37xTO>
    }
  }
  return
}
