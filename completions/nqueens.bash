# Completions of nqueens for bash. The program itself says what may follow; see nqueens.fish.

_nqueens() {
    local offers
    COMPREPLY=()
    # bash breaks "--method=c" at the '=': nothing is offered there.
    [[ ${COMP_WORDS[COMP_CWORD - 1]} == "=" ]] && return
    offers=$(nqueens __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1)
    if [[ $offers == FILE ]]; then
        compopt -o default
    else
        mapfile -t COMPREPLY < <(compgen -W "$offers" -- "${COMP_WORDS[COMP_CWORD]}")
    fi
}

complete -F _nqueens nqueens
