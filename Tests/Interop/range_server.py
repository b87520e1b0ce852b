"""A small web server for the tests of archives on the web, on the loopback interface only.

It prints its port, and answers until its standard input closes, for two minutes at most. The first part of an address
names its behaviour, the second the file of the folder (`sparing` serves half of it at most).
"""
import http.server
import os
import re
import sys
import threading

FOLDER = sys.argv[1]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    requests = 0
    sent = 0

    def log_message(self, *_):
        pass

    def answer(self, status, body, *headers):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        how, name = self.path.partition("?")[0].strip("/").split("/")
        Handler.requests += 1
        try:
            with open(os.path.join(FOLDER, name), "rb") as file:
                whole = file.read()
            self.give(how, name, whole)
        except FileNotFoundError:
            self.answer(404, b"oops\n")
        except (BrokenPipeError, ConnectionResetError):
            pass

    def give(self, how, name, whole):
        if how == "whole":
            return self.answer(200, whole)
        if how.startswith("moved"):
            # As often as the address says.
            rest = int(how[5:] or 1) - 1
            there = f"/moved{rest}/" if rest else "/sound/"
            return self.answer(302, b"", ("Location", there + name))
        first, last = map(int, re.match(r"bytes=(\d+)-(\d+)$", self.headers["Range"]).groups())
        last = min(last, len(whole) - 1)
        Handler.sent += last + 1 - first
        if how == "sparing" and Handler.sent > len(whole) // 2:
            return self.answer(429, b"that is too much\n")
        start, total, tag = first, len(whole), '"1"'
        if how == "shifted":
            start += 1
        if how == "shorter":
            last -= 1
        if how == "longer":
            last += 1
        if how == "changing":
            tag = '"%d"' % (Handler.requests > 2)
        if how == "turning":
            tag = '"%d"' % Handler.requests
        if how == "growing":
            total += Handler.requests
        if how == "weak":
            tag = 'W/"%d"' % Handler.requests
        self.answer(206, whole[first:last + 1], ("ETag", tag),
                    ("Content-Range", "bytes %d-%d/%d" % (start, start + last - first, total)))


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
threading.Timer(120, lambda: os._exit(1)).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
os._exit(0)
