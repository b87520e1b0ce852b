"""Runs `covey serve` on a free port for a test, and sends requests to it."""

import http.client
import os
import re
import signal
import subprocess
import sys
import threading
import time


class Server:
    def __init__(self, covey, *arguments, output=None, port=0):
        """`output` is a file for its standard output."""
        self.process = subprocess.Popen(
            [covey, "serve", "--port", str(port), *arguments], stdout=output, stderr=subprocess.PIPE,
            text=True)
        self.base = None
        while self.base is None:
            line = self.process.stderr.readline()
            if not line:
                raise SystemExit(f"covey serve ended with {self.process.wait()}")
            found = re.search(r"at (http://[^ ]*?)/$", line.strip())
            self.base = found and found.group(1)
        self.port = int(self.base.rsplit(":", 1)[1])
        # A process that writes to a full pipe would stop.
        self.messages = []
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()

    def _listen(self):
        for line in self.process.stderr:
            self.messages.append(line)
            if line != "finishing open requests\n":
                sys.stderr.write(line)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self, sign=signal.SIGTERM):
        """Ends the server. Returns its exit code."""
        if self.process.poll() is None:
            os.kill(self.process.pid, sign)
        try:
            code = self.process.wait(20)
            self.listener.join(5)
            return code
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    def get(self, path, method="GET", **headers):
        """Status, headers and body; underscores in header names stand for dashes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(
            method, path, headers={k.replace("_", "-"): v for k, v in headers.items()})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, body

    def memory(self):
        """The resident memory of the worker process in MB."""
        pid = self.process.pid
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            worker = file.read().split()[0]
        with open(f"/proc/{worker}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024

    def wait_until(self, condition, seconds=15):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError("the server never came round")
            time.sleep(0.05)
