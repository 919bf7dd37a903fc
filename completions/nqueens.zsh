#compdef nqueens
# Completions of nqueens for zsh. The program tells what may follow; see nqueens.fish.

local -a offers
offers=(${(f)"$(nqueens __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)"})
if [[ $offers == FILE ]]; then
    _files
else
    offers=("${(@)offers//:/\\:}")
    offers=("${(@)offers/$'\t'/:}")
    _describe nqueens offers
fi
