#!/usr/bin/env bash
#
# Measures jig beside its peers, and prints the tables. README.md says what they mean.
#
#   --quick       two short rounds, to see that everything runs; the numbers mean nothing
#   --rounds N    rounds of all calls; 40 if not given
#   --slice D     CPU time of one measurement, such as 25ms, the default
#   --write       puts the tables and plots into README.md and docs/ of this clone
#   --keep FILE   keeps the records, one JSON object a line

set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rounds=40 slice=25ms root="" keep=""
while [[ $# -gt 0 ]]; do
  case $1 in
    --quick) rounds=2 slice=2ms ;;
    --rounds) rounds=$2 && shift ;;
    --slice) slice=$2 && shift ;;
    --write) root=$(cd "$here/../.." && pwd) ;;
    --keep) keep=$2 && shift ;;
    *)
      sed -n '3,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
      exit 2
      ;;
  esac
  shift
done

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
records=${keep:-$tmp/records}
: >"$records"

export GOWORK=off
(cd "$here" && go build -buildvcs=false -o "$tmp/bench" .)
(cd "$here/genkit" && go build -buildvcs=false -o "$tmp/genkit" .)

# Each round is a new process, and the programs take turns, so that whatever changes on the machine
# meets all peers alike. What takes long is measured in every fourth round.
for ((round = 1; round <= rounds; round++)); do
  echo "round $round of $rounds" >&2
  for program in bench genkit; do
    "$tmp/$program" -round "$round" -slice "$slice" calls >>"$records"
    if ((round % 4 == 1)); then
      "$tmp/$program" -round "$round" cold >>"$records"
    fi
  done
  if ((round % 4 == 1)); then
    "$tmp/bench" -round "$round" -slice "$slice" scale >>"$records"
  fi
done

"$tmp/bench" report "$root" <"$records"
