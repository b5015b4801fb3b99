// Machine code beside the PTX: it is taken where it is for the device, and the PTX where it
// is not, as by the driver's double, which has no device that executes any.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir %t
// RUN: tile-opt %S/seeds.mlir --emit=object --chip=sm_80 -o %t/plain.o
// RUN: tile-opt %S/seeds.mlir --emit=object --chip=sm_80 --embed-cubin -o %t/seeds.o
// RUN: tile-opt %S/seeds.mlir --emit=header --chip=sm_80 -o %t/seeds.h
// RUN: %python -c "import sys; print([open(f, 'rb').read().count(b'\x7fELF') for f in sys.argv[1:]])" %t/plain.o %t/seeds.o | FileCheck %s
// CHECK: [1, 2]
// RUN: %host_cc -std=c99 -I%t -I%S/Inputs %S/Inputs/seeds.c %t/seeds.o %link_tile_rt -o %t/seeds
// RUN: env LD_LIBRARY_PATH=%fake_drivers/current %t/seeds %t %t
// RUN: tile-run %S/seeds.mlir --on=reference --entry=siblings --in=0:%t/x.npy --in=1:%t/x.npy --expect=1:%t/siblings.npy
