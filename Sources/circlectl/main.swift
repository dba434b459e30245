import CircleCLI
import Glibc

exit(CircleCLI.run(.ofThisProcess(), .ofThisProcess()))
