# bash completion for muster: what its help lists.
_muster() {
  local current=${COMP_WORDS[COMP_CWORD]} typed=("${COMP_WORDS[@]:1:COMP_CWORD-1}") words=
  if [[ $current == -* ]]; then
    words=$({ muster "${typed[0]}" --help; muster "${typed[@]:0:2}" --help; } 2>/dev/null | grep --only-matching -e '--[a-z][a-z-]*' | sort --unique)
  elif ((COMP_CWORD == 1)) || [[ ${typed[*]} == help ]]; then
    words=$(muster --help | sed -n 's/^  \([a-z]*\) .*/\1/p'; muster list 2>/dev/null | sed -n '2,$s/ .*//p')
  elif [[ ${typed[*]} == explain ]]; then
    words=$(muster explain | sed 's/ .*//')
  elif ((COMP_CWORD == 2)); then
    words=$(muster "${typed[0]}" --help 2>/dev/null | sed -n 's/^  \([a-z]*\)  *[A-Z].*/\1/p')
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _muster muster
