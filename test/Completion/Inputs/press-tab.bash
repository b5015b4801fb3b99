# What bash completes a command line to, a word a line:
#   press-tab.bash SCRIPT TOOL WORDS behind it
PATH=${2%/*}:$PATH
source "$1"
tool=${2##*/}
COMP_LINE="$tool $3"
COMP_POINT=${#COMP_LINE}
# The function that `complete` has for the command.
words=($(complete -p "$tool"))
for ((i = 0; i < ${#words[@]}; ++i)); do
  [[ ${words[i]} == -F ]] && function=${words[i + 1]}
done
"$function" "$tool"
printf '%s\n' "${COMPREPLY[@]}"
