# Completions of nqueens for fish.
#
# The program itself says what may follow, made from its own tables of commands and options. Its
# name is looked up in PATH: a script of that name, such as the one that builds it, is not run.

function __nqueens_offers
    set -l words (commandline -opc) (commandline -ct)
    nqueens __complete $words[2..] 2>/dev/null
end

# Fish itself offers files where nothing forbids it.
complete -c nqueens -n 'test "$(__nqueens_offers)" != FILE' -f -a '(__nqueens_offers)'
