"""A launch of as many memrefs of one unknown size, 16 bytes of parameters each:
make-parameters.py COUNT"""

import sys

count = int(sys.argv[1])
arguments = ", ".join(f"%a{i}: memref<?xf32>" for i in range(count))
stores = "\n".join(f"    memref.store %v, %a{i}[%c] : memref<?xf32>"
                   for i in range(count))
print(f"""func.func @many({arguments}) {{
  %one = arith.constant 1 : index
  tile.launch blocks(%x) in (%one) threads(32) {{
    %c = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
{stores}
  }}
  return
}}""")
