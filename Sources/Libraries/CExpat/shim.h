/* The limits on entities (expat 2.4 and later) are declared for parsers of DTDs only. */
#define XML_DTD 1
#include <expat.h>
