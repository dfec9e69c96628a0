#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# muster-problem.sh HOURS FILE: a custom plugin of node-problem-detector. It measures nothing: it says what the report in FILE says,
# which another run of muster wrote. It exits with 0 where the report is good, and with 1 where it is not, or where nobody knows: the
# report is missing, cannot be read, is older than HOURS, or judged nothing.
# stdout has at most 80 bytes, the culprit first. The script starts few programs, for a pod of node-problem-detector may have little
# of a CPU.
export LC_ALL=C # lengths are in bytes
hours=${1:-} file=${2:-}
longest=80 dots=…

# answer CODE WORDS: in one line that ends with a whole character, and is never empty.
answer() {
  local code=$1 words=${2//[[:cntrl:]]/?}
  words=${words#"${words%%[! ]*}"}
  words=${words%"${words##*[! ]}"}
  if ((${#words} > longest)); then
    local kept=$((longest - ${#dots}))
    while [[ $kept -gt 0 && ${words:kept:1} == [$'\x80'-$'\xbf'] ]]; do ((kept--)); done
    words=${words:0:kept}$dots
  fi
  printf '%s\n' "${words:-the report gives no reason}"
  exit "$code"
}

[[ $hours =~ ^[1-9][0-9]{0,4}$ && -n $file ]] || answer 1 "the plugin is set up wrongly: its args are HOURS and FILE"

# What muster writes has one field on each line, and those of the report itself are indented by two blanks.
started='' status='' summary='' line='' last=''
# No process substitution: in bash 5.2, `wait $!` for one gives a status of -1 now and then. A byte of 0, which no report has, is dropped.
# shellcheck disable=SC2016 # $ is the last line
{ text=$(exec timeout --kill-after 1 3 sed -n '1,20p; $p' -- "$file"); } 2>/dev/null
code=$?
((code < 124)) || answer 1 "unknown: the report could not be read within 3 s: $file"
((code == 0)) || answer 1 "unknown: there is no report that can be read: $file"
set -f # a line is no pattern
IFS=$'\n'
for line in $text; do # not <<<, which may want a folder to write to
  last=$line
  case $line in
    '  "started": "'*'",') started=${line:14:-2} ;;
    '  "status": "'*'",') status=${line:13:-2} ;;
    '  "summary": "'*'",') summary=${line:14:-2} ;;
  esac
done
[[ $started =~ ^[0-9-]{10}T[0-9:.]+Z$ ]] || started='?'
made=$(date --utc --date "$started" +%s 2>/dev/null)
[[ -n $made && -n $status && -n $summary && $last == '}' ]] || answer 1 "unknown: this is not a whole report of muster: $file"
((made <= EPOCHSECONDS + 300)) || answer 1 "unknown: the report is of the future, so a clock is wrong: $file"
((EPOCHSECONDS - made <= hours * 3600)) || answer 1 "unknown: the newest report is older than $hours h: $file"

# Of "1 check failed, 8 passed; worst: METRIC of LABELS: REASON" the culprit, without the host, which is this node.
summary=${summary//\\\\/$'\1'}
summary=${summary//\\\"/\"}
summary=${summary//$'\1'/\\}
culprit=${summary#*; worst: }
if [[ $culprit =~ ^([^ ]+)\ of\ host\ [^\ ,:]+(:|,)(.*)$ ]]; then
  between=' of'
  [[ ${BASH_REMATCH[2]} == , ]] || between=:
  culprit=${BASH_REMATCH[1]}$between${BASH_REMATCH[3]}
fi
case $status in
  pass | warn) answer 0 "$culprit" ;;
  fail) answer 1 "$culprit" ;;
  unknown | skip) answer 1 "unknown: $culprit" ;;
  *) answer 1 "unknown: this is not a whole report of muster: $file" ;;
esac
