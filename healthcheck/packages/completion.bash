# bash completion for muster; in zsh after `autoload -U bashcompinit && bashcompinit`
_muster() {
  local current=${COMP_WORDS[COMP_CWORD]} words=
  if ((COMP_CWORD == 1)); then
    words=$(muster --help | sed -n 's/^  \([a-z]*\) .*/\1/p'; muster list 2>/dev/null | sed -n '2,$s/ .*//p')
  elif [[ $current == -* ]]; then
    words=$(muster "${COMP_WORDS[1]}" --help 2>/dev/null | grep --only-matching -e '--[a-z][a-z-]*')
  elif [[ ${COMP_WORDS[1]} == explain ]]; then
    words=$(muster explain | sed 's/ .*//')
  elif ((COMP_CWORD == 2)); then
    words=$(muster "${COMP_WORDS[1]}" --help 2>/dev/null | sed -n 's/^  \([a-z]*\)  *[A-Z].*/\1/p')
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _muster muster
