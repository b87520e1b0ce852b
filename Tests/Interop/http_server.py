"""A small web server for the download tests, on the loopback interface only.

It prints its port, and answers until its standard input closes, for two minutes at most. It can redirect, stall, cut a
body, send without end, and refuse.
"""
import http.server
import os
import sys
import threading

BODY = b"x,y,name\n" + b"".join(b"%d,%d,p%d\n" % (i % 180, i % 90, i) for i in range(20000))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def start(self, status, *headers):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()

    def redirect(self, to):
        self.start(302, ("Location", to), ("Content-Length", "0"))

    def do_GET(self):
        what, _, rest = self.path.strip("/").partition("/")
        self.close_connection = True
        try:
            getattr(self, "get_" + what, self.get_missing)(rest)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def get_file(self, _):
        self.start(200, ("Content-Length", str(len(BODY))))
        self.wfile.write(BODY)

    def get_missing(self, _):
        self.start(404, ("Content-Length", "5"))
        self.wfile.write(b"oops\n")

    def get_redirect(self, rest):
        left = int(rest)
        self.redirect("/redirect/%d" % (left - 1) if left > 1 else "/file")

    def get_elsewhere(self, _):
        self.redirect("file:///etc/hostname")

    def get_nowhere(self, _):
        self.start(302, ("Content-Length", "5"))
        self.wfile.write(b"oops\n")

    def get_cut(self, _):
        self.start(200, ("Content-Length", str(len(BODY))))
        self.wfile.write(BODY[: len(BODY) // 2])

    def get_stall(self, _):
        self.start(200, ("Content-Length", str(len(BODY))))
        self.wfile.write(BODY[:1000])
        self.wfile.flush()
        stopped.wait(20)

    def get_silent(self, _):
        stopped.wait(20)

    def get_unsized(self, rest):
        self.start(200, ("Transfer-Encoding", "chunked"))
        self.wfile.write(b"%x\r\n%s\r\n0\r\n\r\n" % (int(rest), BODY[: int(rest)]))

    def get_endless(self, _):
        self.start(200, ("Transfer-Encoding", "chunked"))
        for _ in range(1000):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(BODY), BODY))


stopped = threading.Event()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
threading.Timer(120, lambda: os._exit(1)).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
stopped.set()
os._exit(0)
