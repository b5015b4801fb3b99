//===- Blas.td - A dialect with two operations -------------*- tablegen -*-===//

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Blas_Dialect : Dialect {
  let name = "blas";
  let summary = "vector operations on buffers";
  let cppNamespace = "::blas";
}

def Blas_AxpyOp : Op<Blas_Dialect, "axpy", [SameTypeOperands]> {
  let summary = "y = alpha * x + y, element by element";
  let arguments = (ins
    Arg<MemRefRankOf<[F32], [1]>, "x", [MemRead]>:$x,
    Arg<MemRefRankOf<[F32], [1]>, "y", [MemRead, MemWrite]>:$y,
    F32Attr:$alpha);
  let assemblyFormat = "$alpha `,` $x `,` $y attr-dict `:` type($x)";
}

def Blas_NormOp : Op<Blas_Dialect, "norm", []> {
  let summary = "the sum of squares, by a library on the host";
  let arguments = (ins Arg<MemRefRankOf<[F32], [1]>, "x", [MemRead]>:$x);
  let results = (outs F32:$sum);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}
