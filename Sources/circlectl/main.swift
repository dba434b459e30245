import CircleCLI
import Glibc

exit(CircleCLI.run(Array(CommandLine.arguments.dropFirst()), .ofThisProcess()))
