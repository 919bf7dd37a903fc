# Completions of nqueens for bash. The program tells what may follow; see nqueens.fish.

_nqueens() {
    local offers
    COMPREPLY=()
    # bash takes "--method=c" for three words. Nothing is offered for the last of them.
    [[ ${COMP_WORDS[COMP_CWORD - 1]} == "=" ]] && return
    offers=$(nqueens __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1)
    if [[ $offers == FILE ]]; then
        compopt -o default
    else
        mapfile -t COMPREPLY < <(compgen -W "$offers" -- "${COMP_WORDS[COMP_CWORD]}")
    fi
}

complete -F _nqueens nqueens
