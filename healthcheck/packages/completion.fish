# fish completion for muster: what its help lists.

# The commands of a help text, each with what it says of it.
function __muster_commands
    muster $argv --help 2>/dev/null | string replace --regex --filter '^  ([a-z]+)  +([A-Z].*)$' '$1\t$2'
end

function __muster_checks
    muster list 2>/dev/null | string match --regex --groups-only '^([a-z_]+) '
end

function __muster_words
    set --local typed (commandline --tokenize --cut-at-cursor --current-process)[2..]
    set --local current (commandline --current-token --cut-at-cursor)
    if string match --quiet -- '-*' $current
        for words in "$typed[1]" "$typed[1..2]"
            muster (string split ' ' -- $words) --help 2>/dev/null | string match --regex --all --groups-only '(--[a-z][a-z-]*)'
        end
    else if test (count $typed) -eq 0; or test "$typed" = help
        __muster_commands
        __muster_checks
    else if test "$typed" = explain
        muster explain | string replace --regex '^(\S+) +' '$1\t'
    else if test (count $typed) -eq 1
        __muster_commands $typed
    end
end

complete --command muster --arguments '(__muster_words)'
