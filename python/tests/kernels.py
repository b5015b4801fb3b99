"""Kernels in PTX that several tests emulate."""

HEADER = ".version 7.8\n.target sm_80\n.address_size 64\n"


def kernel(body: str, parameters: str = ".param .u64 data", name: str = "k",
           directives: str = "", header: str = HEADER) -> str:
    """A kernel with %tid.x in %r1, its first parameter in %rd1, and registers for its body."""
    return (header + f".visible .entry {name}({parameters}) {directives}\n{{\n"
            ".shared .align 8 .b8 tile[1024];\n"
            ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<30>; .reg .b64 %rd<30>;\n"
            ".reg .f32 %f<9>;\n"
            "mov.u32 %r1, %tid.x;\n"
            f"{body}\nret;\n}}\n")


# data[i] = 2 * data[i], through the shared memory of the partner in the other warp.
SWAP = kernel("""
ld.param.u64 %rd1, [data];
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
ld.global.u32 %r2, [%rd3];
mov.u32 %r3, tile;
shl.b32 %r4, %r1, 2;
add.u32 %r5, %r3, %r4;
st.shared.u32 [%r5], %r2;
bar.sync 0;
xor.b32 %r6, %r4, 128;
add.u32 %r6, %r3, %r6;
ld.shared.u32 %r7, [%r6];
add.u32 %r7, %r7, %r7;
st.global.u32 [%rd3], %r7;
""", name="swap", directives=".reqntid 64, 1, 1")
