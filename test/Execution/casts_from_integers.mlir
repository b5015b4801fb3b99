// Every conversion of arith from an integer to every element type: on fragments (row 0 of
// a result), on the scalars of iterations (row 1) and on scalars of the block (row 2),
// with and without the sign where there are two. Each rounds once, so nothing is
// tolerated.
// DEFINE: %{from} =
// DEFINE: %{data} =
// DEFINE: %{cast} = sed -e 's/FROM/%{from}/g'
// DEFINE: %{check} = tile-run %t.mlir --entry=cast --on=emulator --check --rtol=0 --atol=0 --data='0:%{data}'
// DEFINE: %{run} = %s > %t.mlir && %{check} --chip=sm_80 && %{check} --chip=sm_90a
// REDEFINE: %{from} = i1
// REDEFINE: %{data} = values(0,1,1)
// RUN: %{cast} -e 's/FIRST/extsi/g; s/SECOND/extui/g; s/TO/i8/g' %{run}
// RUN: %{cast} -e 's/FIRST/extsi/g; s/SECOND/extui/g; s/TO/i16/g' %{run}
// RUN: %{cast} -e 's/FIRST/extsi/g; s/SECOND/extui/g; s/TO/i32/g' %{run}
// RUN: %{cast} -e 's/FIRST/extsi/g; s/SECOND/extui/g; s/TO/i64/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/f64/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/f32/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/f16/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/bf16/g' %{run}
// RUN: %{cast} -e 's/FIRST/index_cast/g; s/SECOND/index_castui/g; s/TO/index/g' %{run}
// REDEFINE: %{from} = i8
// REDEFINE: %{data} = integers(-128,127)
// RUN: %{cast} -e 's/FIRST\|SECOND/trunci/g; s/TO/i1/g' %{run}
// RUN: %{cast} -e 's/FIRST/extsi/g; s/SECOND/extui/g; s/TO/i16/g' %{run}
// RUN: %{cast} -e 's/FIRST/extsi/g; s/SECOND/extui/g; s/TO/i32/g' %{run}
// RUN: %{cast} -e 's/FIRST/extsi/g; s/SECOND/extui/g; s/TO/i64/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/f64/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/f32/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/f16/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/bf16/g' %{run}
// RUN: %{cast} -e 's/FIRST/index_cast/g; s/SECOND/index_castui/g; s/TO/index/g' %{run}
// REDEFINE: %{from} = i16
// REDEFINE: %{data} = integers(-32768,32767)
// RUN: %{cast} -e 's/FIRST\|SECOND/trunci/g; s/TO/i1/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/trunci/g; s/TO/i8/g' %{run}
// RUN: %{cast} -e 's/FIRST/extsi/g; s/SECOND/extui/g; s/TO/i32/g' %{run}
// RUN: %{cast} -e 's/FIRST/extsi/g; s/SECOND/extui/g; s/TO/i64/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/f64/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/f32/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/f16/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/bitcast/g; s/TO/f16/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/bf16/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/bitcast/g; s/TO/bf16/g' %{run}
// RUN: %{cast} -e 's/FIRST/index_cast/g; s/SECOND/index_castui/g; s/TO/index/g' %{run}
// REDEFINE: %{from} = i32
// REDEFINE: %{data} = integers(-2147483648,2147483647)
// RUN: %{cast} -e 's/FIRST\|SECOND/trunci/g; s/TO/i1/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/trunci/g; s/TO/i8/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/trunci/g; s/TO/i16/g' %{run}
// RUN: %{cast} -e 's/FIRST/extsi/g; s/SECOND/extui/g; s/TO/i64/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/f64/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/f32/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/bitcast/g; s/TO/f32/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/f16/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/bf16/g' %{run}
// RUN: %{cast} -e 's/FIRST/index_cast/g; s/SECOND/index_castui/g; s/TO/index/g' %{run}
// REDEFINE: %{data} = integers(-300,300)
// RUN: %{cast} -e 's/FIRST\|SECOND/trunci/g; s/TO/i1/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/trunci/g; s/TO/i8/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/trunci/g; s/TO/i16/g' %{run}
// RUN: %{cast} -e 's/FIRST/extsi/g; s/SECOND/extui/g; s/TO/i64/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/f64/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/f32/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/bitcast/g; s/TO/f32/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/f16/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/bf16/g' %{run}
// RUN: %{cast} -e 's/FIRST/index_cast/g; s/SECOND/index_castui/g; s/TO/index/g' %{run}
// REDEFINE: %{from} = i64
// REDEFINE: %{data} = integers(-9000000000000000000,9000000000000000000)
// RUN: %{cast} -e 's/FIRST\|SECOND/trunci/g; s/TO/i1/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/trunci/g; s/TO/i8/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/trunci/g; s/TO/i16/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/trunci/g; s/TO/i32/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/f64/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/bitcast/g; s/TO/f64/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/f32/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/f16/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/bf16/g' %{run}
// RUN: %{cast} -e 's/FIRST/index_cast/g; s/SECOND/index_castui/g; s/TO/index/g' %{run}
// REDEFINE: %{data} = integers(-20000000,20000000)
// RUN: %{cast} -e 's/FIRST\|SECOND/trunci/g; s/TO/i1/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/trunci/g; s/TO/i8/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/trunci/g; s/TO/i16/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/trunci/g; s/TO/i32/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/f64/g' %{run}
// RUN: %{cast} -e 's/FIRST\|SECOND/bitcast/g; s/TO/f64/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/f32/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/f16/g' %{run}
// RUN: %{cast} -e 's/FIRST/sitofp/g; s/SECOND/uitofp/g; s/TO/bf16/g' %{run}
// RUN: %{cast} -e 's/FIRST/index_cast/g; s/SECOND/index_castui/g; s/TO/index/g' %{run}
// REDEFINE: %{from} = index
// REDEFINE: %{data} = integers(-9000000000000000000,9000000000000000000)
// RUN: %{cast} -e 's/FIRST/index_cast/g; s/SECOND/index_castui/g; s/TO/i1/g' %{run}
// RUN: %{cast} -e 's/FIRST/index_cast/g; s/SECOND/index_castui/g; s/TO/i8/g' %{run}
// RUN: %{cast} -e 's/FIRST/index_cast/g; s/SECOND/index_castui/g; s/TO/i16/g' %{run}
// RUN: %{cast} -e 's/FIRST/index_cast/g; s/SECOND/index_castui/g; s/TO/i32/g' %{run}
// RUN: %{cast} -e 's/FIRST/index_cast/g; s/SECOND/index_castui/g; s/TO/i64/g' %{run}

func.func @cast(%a: memref<37xFROM>, %o: memref<3x37xTO>, %u: memref<3x37xTO>) {
  %g = arith.constant 1 : index
  tile.launch blocks(%block) in (%g) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 37 : index
    %t = tile.load %a : memref<37xFROM> -> tensor<37xFROM>
    %first = arith.FIRST %t : tensor<37xFROM> to tensor<37xTO>
    tile.store %first, %o[%c0, %c0] [1, 37] : tensor<37xTO>, memref<3x37xTO>
    %second = arith.SECOND %t : tensor<37xFROM> to tensor<37xTO>
    tile.store %second, %u[%c0, %c0] [1, 37] : tensor<37xTO>, memref<3x37xTO>
    tile.parallel (%i) in (37) {
      %e = memref.load %a[%i] : memref<37xFROM>
      %x = arith.FIRST %e : FROM to TO
      memref.store %x, %o[%c1, %i] : memref<3x37xTO>
      %y = arith.SECOND %e : FROM to TO
      memref.store %y, %u[%c1, %i] : memref<3x37xTO>
    }
    scf.for %i = %c0 to %n step %c1 {
      %e = memref.load %a[%i] : memref<37xFROM>
      %x = arith.FIRST %e : FROM to TO
      memref.store %x, %o[%c2, %i] : memref<3x37xTO>
      %y = arith.SECOND %e : FROM to TO
      memref.store %y, %u[%c2, %i] : memref<3x37xTO>
    }
  }
  return
}
