// Vectors of tiles that end anywhere: what lies inside is accessed whole, the rest by
// itself. Sizes within a vector, a tile, and at their ends; blocks that have nothing.
// DEFINE: %{type} =
// DEFINE: %{add} =
// DEFINE: %{size} =
// DEFINE: %{run} = sed -e 's/TYPE/%{type}/g; s/ADD/%{add}/g' %s | tile-run - --on=emulator --check --data='integers(-3,3)' --rtol=0 --atol=0 --entry=all --dim=N:%{size}
// REDEFINE: %{type} = f32
// REDEFINE: %{add} = addf
// REDEFINE: %{size} = 1027
// RUN: %{run} --chip=sm_80
// REDEFINE: %{size} = 3
// RUN: %{run} --chip=sm_80
// REDEFINE: %{size} = 1536
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f16
// REDEFINE: %{size} = 519
// RUN: %{run} --chip=sm_80
// REDEFINE: %{type} = f64
// REDEFINE: %{size} = 513
// RUN: %{run} --chip=sm_80
// REDEFINE: %{type} = i8
// REDEFINE: %{add} = addi
// REDEFINE: %{size} = 2046
// RUN: %{run} --chip=sm_80
// REDEFINE: %{type} = i64
// REDEFINE: %{size} = 0
// RUN: %{run} --chip=sm_80

// RUN: sed -e 's/TYPE/f32/g; s/ADD/addf/g' %s | tile-opt --chip=sm_80 --emit=ptx | FileCheck %s

func.func @all(%x: memref<?xTYPE> {tile.dims = ["N"]}, %y: memref<?xTYPE> {tile.dims = ["N"]},
               %z: memref<?xTYPE> {tile.dims = ["N"]}, %in: memref<?xTYPE> {tile.dims = ["N"]},
               %rows: memref<4x?xTYPE> {tile.dims = ["", "N"]}, %sums: memref<?xTYPE> {tile.dims = ["N"]}) {
  call @add(%x, %y, %z) : (memref<?xTYPE>, memref<?xTYPE>, memref<?xTYPE>) -> ()
  call @in_place(%x, %in) : (memref<?xTYPE>, memref<?xTYPE>) -> ()
  call @observed(%x, %rows, %sums) : (memref<?xTYPE>, memref<4x?xTYPE>, memref<?xTYPE>) -> ()
  return
}

// Both loads under one branch; nothing is set to zero.
// CHECK-LABEL: .entry sum(
// CHECK-NOT: mov.b32 %r{{[0-9]+}}, 0{{(f00000000)?}};
// CHECK: @[[P:%p[0-9]+]] ld.global.nc.v4.b32
// CHECK: @[[Q:%p[0-9]+]] ld.global.nc.v4.b32
// CHECK: @[[P]] ld.global.nc.v4.b32
// CHECK: @[[Q]] ld.global.nc.v4.b32
// CHECK: @[[Q]] bra
// CHECK-COUNT-12: ld.global.nc.b32
// CHECK-NOT: ld.global
// CHECK: @[[P]] st.global.v4.b32
// CHECK: @[[Q]] st.global.v4.b32
// CHECK-COUNT-6: st.global.b32
// CHECK-NOT: st.global
func.func private @add(%x: memref<?xTYPE> {tile.dims = ["N"]}, %y: memref<?xTYPE> {tile.dims = ["N"]},
                       %z: memref<?xTYPE> {tile.dims = ["N"]}) {
  %c1024 = arith.constant 1024 : index
  %c4 = arith.constant 4 : index
  tile.launch @sum blocks(%b) in (%c4) threads(128) {
    %start = arith.muli %b, %c1024 : index
    %u = tile.load %x[%start] : memref<?xTYPE> -> tensor<1024xTYPE>
    %v = tile.load %y[%start] : memref<?xTYPE> -> tensor<1024xTYPE>
    %w = arith.ADD %u, %v : tensor<1024xTYPE>
    tile.store %w, %z[%start] : tensor<1024xTYPE>, memref<?xTYPE>
  }
  return
}

// What is written is read before.
// CHECK-LABEL: .entry twice(
// CHECK: ld.global.v4.b32
// CHECK: st.global.v4.b32
// CHECK: ld.global.v4.b32
// CHECK: st.global.v4.b32
func.func private @in_place(%x: memref<?xTYPE> {tile.dims = ["N"]}, %in: memref<?xTYPE> {tile.dims = ["N"]}) {
  %c512 = arith.constant 512 : index
  %c8 = arith.constant 8 : index
  tile.launch @twice blocks(%b) in (%c8) threads(128) {
    %start = arith.muli %b, %c512 : index
    %u = tile.load %in[%start] : memref<?xTYPE> -> tensor<512xTYPE>
    %v = arith.ADD %u, %u : tensor<512xTYPE>
    tile.store %v, %in[%start] : tensor<512xTYPE>, memref<?xTYPE>
    %s = tile.load %in[%start] : memref<?xTYPE> -> tensor<512xTYPE>
    %t = tile.load %x[%start] : memref<?xTYPE> -> tensor<512xTYPE>
    %w = arith.ADD %s, %t : tensor<512xTYPE>
    tile.store %w, %in[%start] : tensor<512xTYPE>, memref<?xTYPE>
  }
  return
}

// Padding that another row, or a reduction, is computed of is zero.
// CHECK-LABEL: .entry padded(
// CHECK: mov.b32 %r{{[0-9]+}}, 0{{(f00000000)?}};
func.func private @observed(%x: memref<?xTYPE> {tile.dims = ["N"]}, %rows: memref<4x?xTYPE> {tile.dims = ["", "N"]},
                            %sums: memref<?xTYPE> {tile.dims = ["N"]}) {
  %c4 = arith.constant 4 : index
  %c512 = arith.constant 512 : index
  tile.launch @padded blocks(%b) in (%c4) threads(128) {
    %start = arith.muli %b, %c512 : index
    %next = arith.addi %start, %c512 : index
    %u = tile.load %x[%start] : memref<?xTYPE> -> tensor<512xTYPE>
    %v = tile.load %rows[%b, %start] [1, 512] : memref<4x?xTYPE> -> tensor<512xTYPE>
    %w = arith.ADD %u, %v : tensor<512xTYPE>
    %total = tile.reduce <add> %w dims [0] : tensor<512xTYPE> -> tensor<TYPE>
    %all = tile.broadcast %total dims [0] : tensor<TYPE> -> tensor<512xTYPE>
    %t = tile.load %x[%next] : memref<?xTYPE> -> tensor<512xTYPE>
    %shifted = arith.ADD %all, %t : tensor<512xTYPE>
    tile.store %shifted, %sums[%start] : tensor<512xTYPE>, memref<?xTYPE>
  }
  return
}
