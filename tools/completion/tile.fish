# Completion for fish: the tools say themselves what a word may become.

for tool in tile-opt tile-run ptx-run tile-reduce tile-lsp-server
    complete -c $tool -n 'string match -q -- "-*" (commandline -ct)' \
        -a "($tool --complete=(commandline -ct) 2>/dev/null)"
end
