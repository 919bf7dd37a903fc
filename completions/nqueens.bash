# Completions of nqueens for bash. The program itself says what may follow; see nqueens.fish.

_nqueens() {
    local offers
    offers=$(nqueens __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1)
    COMPREPLY=()
    if [[ $offers == FILE ]]; then
        compopt -o default
    else
        local word=${COMP_WORDS[COMP_CWORD]}
        mapfile -t COMPREPLY < <(compgen -W "$offers" -- "${word#=}")
    fi
}

complete -F _nqueens nqueens
