#include <jansson.h>

/* A function and a type of the same name, json_error_code, are one too many for Swift. */
static inline int cjansson_error(const json_error_t *error) { return json_error_code(error); }
