# What fish completes a command line to: press-tab-fish.bash SCRIPT TOOL WORDS behind it
PATH=${2%/*}:$PATH fish -N -c "source $1; complete -C '${2##*/} $3'"
