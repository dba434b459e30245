# Completion of circlectl for bash: source it, or put it where bash-completion looks, as 'circlectl'.

_circlectl() {
  local rest=${COMP_LINE:0:COMP_POINT} words=() word current line directive
  # A word that bash has broken at '=', ':' or '@' is put together again; what stands after the cursor is left out.
  for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    if (( ${#words[@]} )) && [[ -n $rest && $rest != [[:space:]]* ]]; then
      current=${word:0:${#rest}}
      words[-1]+=$current
    else
      rest=${rest#"${rest%%[![:space:]]*}"}
      current=${word:0:${#rest}}
      words+=("$current")
    fi
    rest=${rest#"$word"}
  done
  [[ $current == [=:@] ]] && current=
  # What bash leaves standing before the word that it replaces.
  local lead=${words[-1]%"$current"}
  COMPREPLY=()
  {
    read -r directive
    while IFS= read -r line; do
      line=${line%%$'\t'*}
      COMPREPLY+=("$(printf '%q' "${line#"$lead"}")")
    done
  } < <("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null)
  # Of a word that goes on only the beginning was offered.
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=:] ]] && compopt -o nospace 2>/dev/null
  [[ $directive == :files ]] && compopt -o default -o filenames 2>/dev/null
  return 0
}

complete -F _circlectl circlectl
