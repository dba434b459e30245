# Completion of circlectl for fish: put it into ~/.config/fish/completions/circlectl.fish.

function __circlectl_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($words[1] complete -- $words[2..-1] "$current" 2>/dev/null)
    if test "$lines[1]" = ":files"
        set -l lead (string match -r -- '^--[^=]*=' "$current")
        __fish_complete_path (string replace -r -- '^--[^=]*=' '' "$current") | string replace -r -- '^' "$lead"
        return
    end
    test (count $lines) -gt 1; and printf '%s\n' $lines[2..-1]
end

complete -c circlectl -f -a '(__circlectl_complete)'
