import CommandTree
import Testing

struct HelpSnapshotTests {
  @Test
  func `the help of the program in 80 columns`() {
    #expect(
      larder.help(for: [], width: 80)
        == #"""
        Usage: larder [options] COMMAND …

        Keeps track of what is in the kitchen.

        Commands:
          diff, plan  Compare the shopping list with the stock.
          shelf       Look after the shelves.
          copy        Copy things.
          completion  Write a completion script.
          help        Tell what a command does and what it takes.

        Global options:
              --store LOCATION  Where the stock is kept.
                                Default: larder.db. Environment: LARDER_STORE.
              --as COOK         Act as this cook.
          -o, --output FORMAT   How results are written.
                                  text  For people.
                                  json  One document, versioned, for programs to read.
          -q, --quiet           Say nothing but errors.
          -v, --verbose         Say more.
          -h, --help            Show this help.
              --version         Show the version.

        Exit codes:
          0    Done, or nothing to do.
          64   Wrong usage.

        'larder help COMMAND' tells more about a command.

        """#)
  }

  @Test
  func `the help of a command in 40 columns`() {
    #expect(
      larder.help(for: ["shelf", "move"], width: 40)
        == #"""
        Usage: larder shelf move [options] --by
               WHERE FROM [TO]

        Move a shelf.

        Arguments:
          FROM  The shelf.
          [TO]  Its new place; 储藏室 when left
                out.

        Options:
              --room ROOM
                The room the shelf is in.
              --by WHERE
                What it shall stand by.

        Global options:
              --store LOCATION
                Where the stock is kept.
                Default: larder.db. Environment:
                LARDER_STORE.
              --as COOK
                Act as this cook.
          -o, --output FORMAT
                How results are written.
                  text  For people.
                  json  One document, versioned,
                        for programs to read.
          -q, --quiet
                Say nothing but errors.
          -v, --verbose
                Say more.
          -h, --help
                Show this help.
              --version
                Show the version.

        Examples:
          larder shelf move a b --by 'the window'
              Moves shelf a.

        """#)
  }

  @Test
  func `the help of a group in 80 columns`() {
    #expect(
      larder.help(for: ["shelf"], width: 80)
        == #"""
        Usage: larder shelf [options] COMMAND …

        Look after the shelves.

        Commands:
          move  Move a shelf.
          list  List the shelves.

        Options:
              --room ROOM  The room the shelf is in.

        Global options:
              --store LOCATION  Where the stock is kept.
                                Default: larder.db. Environment: LARDER_STORE.
              --as COOK         Act as this cook.
          -o, --output FORMAT   How results are written.
                                  text  For people.
                                  json  One document, versioned, for programs to read.
          -q, --quiet           Say nothing but errors.
          -v, --verbose         Say more.
          -h, --help            Show this help.
              --version         Show the version.

        'larder help shelf COMMAND' tells more about a command.

        """#)
  }

  @Test
  func `the help of a command with a discussion in 120 columns`() {
    #expect(
      larder.help(for: ["completion"], width: 120)
        == #"""
        Usage: larder completion [options] SHELL

        Write a completion script.

        The script goes where the shell looks for it; the shell reads it at the next start, and offers commands, options and
        values from then on.

        For bash:

          larder completion bash >~/.local/share/bash-completion/completions/larder

        那么长的中文段落没有空格，所以必须在字与字之间断行，否则窄终端上就会超出右边的边界，看起来很乱。

        Arguments:
          SHELL  The shell to write for.
                 One of: bash, zsh, fish.

        Global options:
              --store LOCATION  Where the stock is kept.
                                Default: larder.db. Environment: LARDER_STORE.
              --as COOK         Act as this cook.
          -o, --output FORMAT   How results are written.
                                  text  For people.
                                  json  One document, versioned, for programs to read.
          -q, --quiet           Say nothing but errors.
          -v, --verbose         Say more.
          -h, --help            Show this help.
              --version         Show the version.

        Examples:
          larder completion bash
              Writes bash's.

        """#)
  }
}
