"""Static hosts for a folder: that of Python, without range requests, and nginx, which logs requests."""

import functools
import http.server
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time

TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".geojson": "application/geo+json",
         ".pbf": "application/x-protobuf"}


class Plain:
    """Python's http.server: whole files, no ranges, nothing about encodings."""

    def __init__(self, folder):
        class Handler(http.server.SimpleHTTPRequestHandler):
            extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | TYPES

            def log_message(self, *_):
                pass

        handler = functools.partial(Handler, directory=folder)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.base = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()


class Nginx:
    """nginx with default settings, in a folder of its own."""

    def __init__(self, folder):
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        if not os.path.exists(program):
            raise SystemExit("hosts: no nginx on this machine; scripts/setup test installs it")
        self.own = tempfile.mkdtemp(prefix="covey-nginx-")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.base = f"http://127.0.0.1:{port}"
        self.log = f"{self.own}/access.log"
        types = " ".join(f"{kind} {name[1:]};" for name, kind in
                         (TYPES | {".html": "text/html", ".css": "text/css", ".json": "application/json",
                                   ".svg": "image/svg+xml"}).items())
        temporary = " ".join(f"{name}_temp_path {self.own}/{name};" for name in
                             ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        with open(f"{self.own}/nginx.conf", "w") as file:
            file.write(f"""daemon off; pid {self.own}/pid; error_log {self.own}/error.log; worker_processes 1;
{'user root;' if os.geteuid() == 0 else ''}
events {{ worker_connections 64; }}
http {{ log_format asked '$status $uri $http_range $bytes_sent'; access_log {self.log} asked;
  types {{ {types} }} default_type application/octet-stream; {temporary}
  server {{ listen 127.0.0.1:{port}; root {os.path.realpath(folder)}; }} }}
""")
        self.process = subprocess.Popen([program, "-p", self.own, "-c", f"{self.own}/nginx.conf"],
                                        stderr=subprocess.DEVNULL)
        self._wait(port)

    def _wait(self, port):
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.1)
        raise SystemExit("hosts: nginx does not start: " + open(f"{self.own}/error.log").read())

    def asked(self, ending):
        """The requests for files of an ending so far: status, path, range, bytes."""
        with open(self.log) as file:
            return [line.split() for line in file if line.split()[1].endswith(ending)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)
        shutil.rmtree(self.own, ignore_errors=True)
