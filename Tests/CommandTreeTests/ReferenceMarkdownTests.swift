import CommandTree
import Testing

struct ReferenceMarkdownTests {
  @Test
  func `the reference has a section for each command that is shown`() {
    #expect(
      larder.referenceMarkdown()
        == #"""
        # larder

        Keeps track of what is in the kitchen.

        ```text
        larder [options] COMMAND …
        ```

        - [`larder diff`](#diff): Compare the shopping list with the stock.
        - [`larder shelf`](#shelf): Look after the shelves.
        - [`larder shelf move`](#shelf-move): Move a shelf.
        - [`larder shelf list`](#shelf-list): List the shelves.
        - [`larder copy`](#copy): Copy things.
        - [`larder completion`](#completion): Write a completion script.
        - [`larder help`](#help): Tell what a command does and what it takes.

        ## Global options

        - `--store LOCATION`: Where the stock is kept. Default: larder.db. Environment: LARDER\_STORE.
        - `--as COOK`: Act as this cook.
        - `-o`, `--output FORMAT`: How results are written.
          - `text`: For people.
          - `json`: One document, versioned, for programs to read.
        - `-q`, `--quiet`: Say nothing but errors.
        - `-v`, `--verbose`: Say more.
        - `-h`, `--help`: Show this help.
        - `--version`: Show the version.

        ## Exit codes

        - `0`: Done, or nothing to do.
        - `64`: Wrong usage.

        ## diff

        Compare the shopping list with the stock.

        ```text
        larder diff [options] LIST…
        ```

        Also written `plan`.

        ### Arguments

        - `LIST…`: Shopping lists or folders.

        ### Options

        - `--exit-code`: End with 2 when something is missing.
        - `--only`, `--just WHAT`: Look at these things alone.
        - `--[no-]color`: Write in colour.

        Does not take `--as`.

        ### Examples

        Shows what is missing.

        ```sh
        larder diff week.yaml --exit-code | less
        ```

        ## shelf

        Look after the shelves.

        ```text
        larder shelf [options] COMMAND …
        ```

        ### Options

        - `--room ROOM`: The room the shelf is in.

        ## shelf move

        Move a shelf.

        ```text
        larder shelf move [options] --by WHERE FROM [TO]
        ```

        ### Arguments

        - `FROM`: The shelf.
        - `[TO]`: Its new place; 储藏室 when left out.

        ### Options

        - `--room ROOM`: The room the shelf is in.
        - `--by WHERE`: What it shall stand by.

        ### Examples

        Moves shelf a.

        ```sh
        larder shelf move a b --by 'the window'
        ```

        ## shelf list

        List the shelves.

        ```text
        larder shelf list [options]
        ```

        ### Options

        - `--room ROOM`: The room the shelf is in.

        ### Examples

        Lists all.

        ```sh
        larder shelf list
        ```

        ## copy

        Copy things.

        ```text
        larder copy [options] [THING…] TARGET
        ```

        ### Arguments

        - `[THING…]`: What.
        - `TARGET`: Where to.

        ### Examples

        Copies a and b to c.

        ```sh
        larder copy a b c
        ```

        ## completion

        Write a completion script.

        ```text
        larder completion [options] SHELL
        ```

        The script goes where the shell looks for it; the shell reads it at the next start, and offers commands, options and values from then on.

        For bash:

        ```text
        larder completion bash >~/.local/share/bash-completion/completions/larder
        ```

        那么长的中文段落没有空格，所以必须在字与字之间断行，否则窄终端上就会超出右边的边界，看起来很乱。

        ### Arguments

        - `SHELL`: The shell to write for.
          - `bash`
          - `zsh`
          - `fish`

        ### Examples

        Writes bash's.

        ```sh
        larder completion bash
        ```

        ## help

        Tell what a command does and what it takes.

        ```text
        larder help [options] [COMMAND…]
        ```

        ### Arguments

        - `[COMMAND…]`: The command; all of them when left out.

        ### Examples

        Lists the commands.

        ```sh
        larder help
        ```

        """#)
  }
}
