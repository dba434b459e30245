/// A shell for which there is a completion script.
package enum CompletionShell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// Where the shell looks for the script of a program.
  package func fileName(for program: String) -> String {
    switch self {
    case .bash: "\(program).bash"
    case .zsh: "_\(program)"
    case .fish: "\(program).fish"
    }
  }

  /// The script for a program that answers `PROGRAM complete -- WORD…` with a line `:files` or `:words`, then a line a
  /// candidate: the word, a tab and what it means. Words are looked up in the program itself, so a script fits every
  /// version of it.
  package func script(for program: String) -> String {
    switch self {
    case .bash: bashScript(program)
    case .zsh: zshScript(program)
    case .fish: fishScript(program)
    }
  }
}

private func bashScript(_ program: String) -> String {
  """
  # Completion of \(program) for bash: source it, or put it where bash-completion looks, as '\(program)'.

  _\(program)() {
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
        line=${line%%$'\\t'*}
        COMPREPLY+=("$(printf '%q' "${line#"$lead"}")")
      done
    } < <("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null)
    # Of a word that goes on only the beginning was offered.
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=:] ]] && compopt -o nospace 2>/dev/null
    [[ $directive == :files ]] && compopt -o default -o filenames 2>/dev/null
    return 0
  }

  complete -F _\(program) \(program)

  """
}

private func zshScript(_ program: String) -> String {
  """
  #compdef \(program)
  # Completion of \(program) for zsh: put it into a folder of $fpath as '_\(program)', or source it after compinit.

  _\(program)() {
    local -a lines offers
    local line
    lines=("${(@f)$("${(Q)words[1]}" complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ ${lines[1]} == :files ]]; then
      compset -P '--*='
      _files
      return
    fi
    for line in "${(@)lines[2,-1]}"; do
      [[ -n $line ]] || continue
      offers+=("${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}")
    done
    # The program has chosen by what is typed, for user ids whatever their case.
    _describe -V '\(program)' offers -U
  }

  if [[ ${funcstack[1]} == _\(program) ]]; then
    _\(program) "$@"
  elif (( $+functions[compdef] )); then
    compdef _\(program) \(program)
  fi

  """
}

private func fishScript(_ program: String) -> String {
  """
  # Completion of \(program) for fish: put it into ~/.config/fish/completions/\(program).fish.

  function __\(program)_complete
      set -l words (commandline -opc)
      set -l current (commandline -ct)
      set -l lines ($words[1] complete -- $words[2..-1] "$current" 2>/dev/null)
      if test "$lines[1]" = ":files"
          set -l lead (string match -r -- '^--[^=]*=' "$current")
          __fish_complete_path (string replace -r -- '^--[^=]*=' '' "$current") | string replace -r -- '^' "$lead"
          return
      end
      test (count $lines) -gt 1; and printf '%s\\n' $lines[2..-1]
  end

  complete -c \(program) -f -a '(__\(program)_complete)'

  """
}
