# Completions of nqueens for fish.
#
# The program tells what may follow the words typed so far, from the descriptions of its commands
# and options. It is looked up in PATH even if the words begin with the path of a script of that
# name, such as the one that builds the program.

function __nqueens_offers
    set -l words (commandline -opc) (commandline -ct)
    nqueens __complete $words[2..] 2>/dev/null
end

# Without -f, fish offers the names of files, as FILE asks for.
complete -c nqueens -n 'test "$(__nqueens_offers)" != FILE' -f -a '(__nqueens_offers)'
