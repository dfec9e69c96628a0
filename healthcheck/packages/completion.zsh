#compdef muster
# zsh completion for muster: what its help lists.

# The commands of a help text: "  node   Run all checks ..." becomes "node:Run all checks ...".
_muster_commands() {
  local -a commands=(${(f)"$(muster "$@" --help 2>/dev/null | sed -En 's/^  ([a-z]+)  +([A-Z].*)$/\1:\2/p')"})
  (($#commands)) && _describe -t commands command commands
}

_muster_checks() {
  local -a checks=(${(f)"$(muster list 2>/dev/null | sed -n '2,$s/ .*//p')"})
  _describe -t checks check checks
}

_muster() {
  if ((CURRENT == 2)); then
    _muster_commands
    _muster_checks
  elif [[ $PREFIX == -* ]]; then
    local -a options=(${(f)"$(muster $words[2] --help 2>/dev/null | grep --only-matching -e '--[a-z][a-z-]*')"})
    if [[ $words[3] != -* ]]; then
      options+=(${(f)"$(muster $words[2,3] --help 2>/dev/null | grep --only-matching -e '--[a-z][a-z-]*')"})
    fi
    compadd -- ${(u)options}
  elif [[ $words[2] == explain ]]; then
    local -a known=(${(f)"$(muster explain | sed -En 's/^([^ ]+) +(.*)$/\1:\2/p')"})
    _describe -t words word known
  elif [[ $words[2] == help ]]; then
    _muster_commands
    _muster_checks
  else
    ((CURRENT == 3)) && _muster_commands $words[2] || _files
  fi
}

_muster "$@"
