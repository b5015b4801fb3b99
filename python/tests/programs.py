"""Programs that several tests compile."""

AXPY = """
func.func @axpy(%a: f32, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.ceildivsi %n, %c128 : index
  tile.launch @axpy_kernel blocks(%b) in (%blocks) threads(128) {
    %i = arith.muli %b, %c128 : index
    %s = tile.load %x[%i] : memref<?xf32> -> tensor<128xf32>
    %t = tile.load %y[%i] : memref<?xf32> -> tensor<128xf32>
    %f = tensor.splat %a : tensor<128xf32>
    %u = arith.mulf %s, %f : tensor<128xf32>
    %v = arith.addf %u, %t : tensor<128xf32>
    tile.store %v, %y[%i] : tensor<128xf32>, memref<?xf32>
  }
  return
}
"""


def copy(element: str, shape: str = "?", layout: str = "") -> str:
    """A program that copies elements of a type, whatever it is, one block of 128."""
    memref = f"memref<{shape}x{element}{layout}>"
    return f"""
func.func @copy(%x: {memref}, %y: {memref}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.launch @copy_kernel blocks(%b) in (%c1) threads(128) {{
    %t = tile.load %x[%c0] : {memref} -> tensor<128x{element}>
    tile.store %t, %y[%c0] : tensor<128x{element}>, {memref}
  }}
  return
}}
"""


def scalar(kind: str) -> str:
    """A program that stores its first argument, a number, in a memref."""
    return f"""
func.func @put(%s: {kind}, %y: memref<1x{kind}>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.launch @put_kernel blocks(%b) in (%c1) threads(32) {{
    memref.store %s, %y[%c0] : memref<1x{kind}>
  }}
  return
}}
"""
