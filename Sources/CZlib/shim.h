#include <zlib.h>

/* inflateInit2 is a macro, which Swift does not see. 15 + 16: a gzip header and nothing else. */
static inline int czlib_begin_gzip(z_stream *stream) { return inflateInit2(stream, 15 + 16); }
