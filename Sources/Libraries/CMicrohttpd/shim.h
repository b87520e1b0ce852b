#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <string.h>
#include <sys/socket.h>
#include <microhttpd.h>

/* Swift cannot call variadic C functions; these give the ones that are needed a fixed shape. */

struct covey_mhd_settings {
    int listening_socket;
    unsigned threads, connections, timeout;
    /* What is left to libmicrohttpd of judging requests: 1 all that it can, 0 what it must. */
    int strictness;
    size_t memory_per_connection;
};

/* How Swift sees the enums differs between versions of the header. */
static const enum MHD_Result covey_mhd_yes = MHD_YES, covey_mhd_no = MHD_NO;
static const enum MHD_ValueKind covey_mhd_header = MHD_HEADER_KIND;
static const enum MHD_ValueKind covey_mhd_argument = MHD_GET_ARGUMENT_KIND;
static const enum MHD_ConnectionNotificationCode covey_mhd_started = MHD_CONNECTION_NOTIFY_STARTED;
static const enum MHD_ResponseMemoryMode covey_mhd_persistent = MHD_RESPMEM_PERSISTENT;

/* Percent-escapes are left to the router, so that %00 and %2F cannot fool C strings. */
static size_t covey_mhd_leave_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

/* Measures a target before it is taken apart: what is returned becomes the request's own value, twice
   the length and one more. 1 stands for a target with a space or a control character. */
static void *covey_mhd_measure_target(
    void *context, const char *target, struct MHD_Connection *connection) {
    (void)context;
    (void)connection;
    const unsigned char *byte = (const unsigned char *)target;
    while (*byte > 0x20 && *byte != 0x7F) byte++;
    size_t length = (size_t)(byte - (const unsigned char *)target);
    return (void *)(uintptr_t)(*byte ? 1 : 2 * length + 1);
}

static inline struct MHD_Daemon *covey_mhd_start(
    const struct covey_mhd_settings *settings, void *context, MHD_AccessHandlerCallback answer,
    MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback connection) {
    unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_ITC | MHD_ALLOW_SUSPEND_RESUME;
    flags |= MHD_is_feature_supported(MHD_FEATURE_EPOLL) == MHD_YES
        ? (unsigned)MHD_USE_EPOLL | (unsigned)MHD_USE_TURBO : (unsigned)MHD_USE_POLL;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, answer, context,
        MHD_OPTION_LISTEN_SOCKET, settings->listening_socket,
        /* A pool of one is refused; without the option there is one thread. */
        settings->threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_CONNECTION_TIMEOUT,
        settings->threads > 1 ? settings->threads : settings->timeout,
        MHD_OPTION_CONNECTION_TIMEOUT, settings->timeout,
        MHD_OPTION_CONNECTION_LIMIT, settings->connections,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->memory_per_connection,
        MHD_OPTION_STRICT_FOR_CLIENT, settings->strictness,
        MHD_OPTION_URI_LOG_CALLBACK, &covey_mhd_measure_target, NULL,
        MHD_OPTION_UNESCAPE_CALLBACK, &covey_mhd_leave_escapes, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_NOTIFY_CONNECTION, connection, context,
        MHD_OPTION_END);
}

static inline int covey_mhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static inline void *covey_mhd_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static inline const struct sockaddr *covey_mhd_client(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

/* A header's value and its length; NULL and 0 where there is none. Nothing is copied. */
static inline const char *covey_mhd_value(
    struct MHD_Connection *connection, const unsigned char *name, size_t name_length, size_t *length) {
    const char *value = NULL;
    *length = 0;
    MHD_lookup_connection_value_n(
        connection, MHD_HEADER_KIND, (const char *)name, name_length, &value, length);
    return value;
}

/* The length of the request line and the headers together. */
static inline size_t covey_mhd_head_length(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

/* Tells a client something, if there is room for it, and ends the connection. */
static inline void covey_mhd_hang_up(int socket, const char *words, size_t length) {
    int flags = MSG_DONTWAIT;
#ifdef MSG_NOSIGNAL
    flags |= MSG_NOSIGNAL;
#endif
    if (length > 0 && send(socket, words, length, flags) < 0) { /* It is gone already. */ }
    shutdown(socket, SHUT_RDWR);
}

/* Whether a client has closed its end of a connection. */
static inline bool covey_mhd_is_left(int socket) {
    char byte;
    ssize_t count = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

/* Adds headers: a name and its value in turn. */
static inline void covey_mhd_add_headers(
    struct MHD_Response *response, const char *const *texts, size_t count) {
    for (size_t index = 0; index + 1 < count; index += 2)
        MHD_add_response_header(response, texts[index], texts[index + 1]);
}

/* Adds an ETag header: 64 bits in hexadecimal and a letter. Every tile has one. */
static inline void covey_mhd_add_tag(struct MHD_Response *response, uint64_t mark, char letter) {
    char text[20];
    char *next = text + sizeof text;
    *--next = 0;
    *--next = '"';
    *--next = letter;
    do *--next = "0123456789abcdef"[mark & 15]; while (mark >>= 4);
    *--next = '"';
    MHD_add_response_header(response, "ETag", next);
}

/* On every answer: browsers take it for what its type says and for nothing else. */
static inline void covey_mhd_forbid_sniffing(struct MHD_Response *response) {
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
}

/* Gives unused memory back to the system, where the allocator can be asked to. */
static inline void covey_mhd_trim_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
