#compdef tile-opt tile-run ptx-run tile-reduce tile-lsp-server
# Completion for zsh: the tools say themselves what a word may become.

local -a lines names wanting shown
local line word

[[ $PREFIX == -* ]] || { _files; return }
lines=("${(@f)$(_call_program options ${(q)words[1]} --complete=${(q)PREFIX} 2>/dev/null)}")
for line in $lines; do
  word=${line%%$'\t'*}
  if [[ $word == *= ]]; then
    wanting+=("$word")
  else
    names+=("$word")
  fi
done
# A value that the tool knows no words for is a file, or the user's.
if (( ! $#names && ! $#wanting )); then
  compset -P '*=' && _files
  return
fi
(( $#names )) && compadd -a names
(( $#wanting )) && compadd -S '' -a wanting
return 0
