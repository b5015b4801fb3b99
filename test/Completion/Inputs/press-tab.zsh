# What zsh makes of a command line when tab is pressed behind it:
#   press-tab.zsh SCRIPT TOOL WORDS behind it
# It completes in a terminal only, so that one is made.
zmodload zsh/zpty
folder=$(mktemp -d)
cp $1 $folder/_tile
zpty shell zsh -f -i
zpty -w shell "fpath=($folder \$fpath); path=(${2:h} \$path)"
zpty -w shell "autoload -Uz compinit && compinit -u -d $folder/dump"
zpty -w shell "finish() { zle complete-word; print -r -- \"completed: \$BUFFER.\"; exit }"
zpty -w shell "zle -N finish; bindkey '^G' finish; PROMPT='now> '"
zpty -r -m shell text "*now> *"
zpty -w -n shell "${2:t} $3"$'\a'
text=''
while zpty -r shell line; do text+=$line; done
# Behind what the editor of lines writes to place its letters.
print -r -- "completed: ${${text##*completed: }%%.*}"
rm -r $folder
