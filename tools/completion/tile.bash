# Completion for bash: the tools say themselves what a word may become.

_tile_complete() {
  local word=${COMP_LINE:0:COMP_POINT} strip='' tool=$1
  word=${word##*[[:space:]]}
  COMPREPLY=()
  # Other words are files, by -o default.
  [[ $word == -* ]] || return 0
  mapfile -t COMPREPLY < <("$tool" --complete="$word" 2>/dev/null | cut -f1)
  # Bash replaces what stands behind the last letter that breaks words.
  if [[ $word == *=* && $COMP_WORDBREAKS == *=* ]]; then
    strip=${word%%=*}=
    COMPREPLY=("${COMPREPLY[@]#"$strip"}")
  elif ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == *= ]]; then
    compopt -o nospace 2>/dev/null
  fi
  return 0
}

complete -o default -F _tile_complete \
  tile-opt tile-run ptx-run tile-reduce tile-lsp-server
