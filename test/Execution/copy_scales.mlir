// f8E8M0FNU in kernels: loads, stores, copies and casts. Narrowed from f32, f64, f16 and bf16,
// widened to each, of all encodings and of what lies between them.
// RUN: tile-run %s --entry=casts --on=emulator --chip=sm_80 --check --data=values(0,1,-1.5,1.4999,2.9,3,5.9e-39,8.8e-39,8.7e-39,1.2e-38,3e38,1.8e38,inf,nan)
// RUN: tile-run %s --entry=casts --on=emulator --chip=sm_120a --check --data=normal(0,100) --seed=2
// RUN: tile-run %s --entry=encodings --on=emulator --chip=sm_80 --check | FileCheck %s
// RUN: tile-run %s --entry=encodings --on=emulator --chip=sm_90a --check | FileCheck %s
// CHECK-COUNT-4: equal: 256 elements (256 exact)

#shared = #gpu.address_space<workgroup>

func.func @casts(%X: memref<128xf32>, %Y: memref<128xf64>, %Z: memref<128xbf16>, %S: memref<128xf8E8M0FNU>, %T: memref<128xf8E8M0FNU>, %U: memref<128xf8E8M0FNU>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%bx) in (%c1) threads(32) {
    %x = tile.load %X : memref<128xf32> -> tensor<128xf32>
    %y = tile.load %Y : memref<128xf64> -> tensor<128xf64>
    %s = arith.truncf %x : tensor<128xf32> to tensor<128xf8E8M0FNU>
    %t = arith.truncf %y : tensor<128xf64> to tensor<128xf8E8M0FNU>
    tile.store %s, %S : tensor<128xf8E8M0FNU>, memref<128xf8E8M0FNU>
    tile.store %t, %T : tensor<128xf8E8M0FNU>, memref<128xf8E8M0FNU>
    tile.copy %Z to %U : memref<128xbf16> to memref<128xf8E8M0FNU>
  }
  return
}

// Each byte through shared memory, and widened.
func.func @encodings(%C: memref<256xf32>, %D: memref<256xf64>, %E: memref<256xf16>, %F: memref<256xbf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%bx) in (%c1) threads(64) {
    %i = tile.parallel (%k) in (256) -> (tensor<256xi8>) {
      %b = arith.index_cast %k : index to i8
      tile.yield %b : i8
    }
    %s = tile.bitcast %i : tensor<256xi8> -> tensor<256xf8E8M0FNU>
    %Ss = tile.alloc : memref<256xf8E8M0FNU, #shared>
    tile.store %s, %Ss : tensor<256xf8E8M0FNU>, memref<256xf8E8M0FNU, #shared>
    %w = arith.extf %s : tensor<256xf8E8M0FNU> to tensor<256xf32>
    tile.store %w, %C : tensor<256xf32>, memref<256xf32>
    tile.copy %Ss to %D : memref<256xf8E8M0FNU, #shared> to memref<256xf64>
    %h = tile.load %Ss : memref<256xf8E8M0FNU, #shared> -> tensor<256xf16>
    tile.store %h, %E : tensor<256xf16>, memref<256xf16>
    %v = arith.extf %s : tensor<256xf8E8M0FNU> to tensor<256xbf16>
    tile.store %v, %F : tensor<256xbf16>, memref<256xbf16>
  }
  return
}
