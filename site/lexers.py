"""Colors for MLIR and PTX, which Pygments does not know."""

from pygments.lexer import RegexLexer, bygroups
from pygments.lexers import LEXERS
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Text

__all__ = ["MlirLexer", "PtxLexer"]


class MlirLexer(RegexLexer):
    name = "MLIR"
    aliases = ["mlir"]
    filenames = ["*.mlir"]
    tokens = {
        "root": [
            (r"//.*$", Comment.Single),
            (r'"(?:[^"\\\n]|\\.)*"', String),
            (r"%[\w$.#-]+", Name.Variable),
            (r"@[\w$.]+", Name.Function),
            (r"\^\w+", Name.Label),
            (r"[#!][\w$.]+", Name.Decorator),
            (r"\b(?:memref|tensor|vector|index|none|array|dense|b?f\d+\w*|i\d+)\b(?![.\w])",
             Keyword.Type),
            # In a shaped type: 64x32xf16, ?x?xf32.
            (r"((?:(?:\d+|\?)x)+)([a-z]\w*)", bygroups(Number, Keyword.Type)),
            (r"0x[0-9A-Fa-f]+|-?\d+(?:\.\d*(?:[eE][+-]?\d+)?)?", Number),
            (r"[a-z_]\w*(?:\.\w+)+", Name.Builtin),
            (r"\b(?:to|in|step|iter_args|blocks|threads|cluster|attributes|dims?|rows|pad|init"
             r"|in_bounds|layout|alignment|do|else|case|return|module)\b", Keyword),
            (r"->|[=:]", Operator),
            (r"[A-Za-z_]\w*", Text),
            (r"\s+|.", Text),
        ],
    }


class PtxLexer(RegexLexer):
    name = "PTX"
    aliases = ["ptx"]
    filenames = ["*.ptx"]
    tokens = {
        "root": [
            (r"//.*$", Comment.Single),
            (r"^(\s*)(\.\w+)", bygroups(Text, Keyword)),
            (r"\.(?:param|reg|shared|global|align|entry|ptr)\b", Keyword),
            (r"%[\w.]+", Name.Variable),
            (r"^(\s*)(@!?%\w+\s+)?([a-z]\w*(?:[.:]+\w+)*)",
             bygroups(Text, Name.Variable, Name.Builtin)),
            (r"\.[a-z]\d+\b", Keyword.Type),
            (r"0x[0-9A-Fa-f]+|-?\d+(?:\.\d+)?", Number),
            (r"\s+|.", Text),
        ],
    }


def register() -> None:
    """Lets Pygments find these lexers by name."""
    for lexer in (MlirLexer, PtxLexer):
        LEXERS[lexer.__name__] = (__name__, lexer.name, tuple(lexer.aliases),
                                  tuple(lexer.filenames), ())
