"""Controls a headless Chromium through its debugging pipe, with Python's standard library only."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


# Long tests draw everything, and take pictures.
LONG = "COVEY_TEST_LONG" in os.environ

# With this script, pages do everything except drawing in WebGL, which takes half of the time; most checks read no pixels.
BLIND = """
for (const kind of [WebGLRenderingContext, WebGL2RenderingContext])
    for (const draw of ["drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced"])
        kind.prototype[draw] = () => {};
"""


class Browser:
    """One browser with one page; a context manager."""

    FLAGS = [
        "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--remote-debugging-pipe",
        "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
        "--hide-scrollbars", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--force-device-scale-factor=1",
    ]

    def __init__(self, draws=True):
        self.draws = draws
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        if not program:
            raise SystemExit("browser: no chromium on this machine; scripts/setup test installs it")
        self.profile = tempfile.mkdtemp(prefix="covey-browser-")
        theirs_in, self.out = os.pipe()
        self.input, theirs_out = os.pipe()

        def place_pipes():
            # The browser expects its pipes at 3 and 4. The copies have higher numbers, so that they do not replace each other.
            os.dup2(theirs_in, 103)
            os.dup2(theirs_out, 104)
            os.dup2(103, 3)
            os.dup2(104, 4)

        self.process = subprocess.Popen(
            [program, *self.FLAGS, f"--user-data-dir={self.profile}", "about:blank"],
            preexec_fn=place_pipes, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.buffer = b""
        self.count = 0
        self.session = None
        self.console = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")
        if not draws:
            self.call("Page.addScriptToEvaluateOnNewDocument", source=BLIND)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, **parameters):
        """Sends a command and waits for its result. Events that arrive before are recorded."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        number = self.count
        while True:
            answer = self._next(300)
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._note(answer)

    def _next(self, patience):
        while b"\0" not in self.buffer:
            if not select.select([self.input], [], [], patience)[0]:
                raise TimeoutError("the browser does not answer")
            read = os.read(self.input, 1 << 20)
            if not read:
                raise RuntimeError("the browser has gone")
            self.buffer += read
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def _note(self, event):
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
            values = [str(a.get("value", a.get("description"))) for a in parameters["args"]]
            self.console.append(" ".join(values))
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.console.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.console.append(f"{parameters['entry']['text']} {parameters['entry'].get('url', '')}")

    def open(self, url):
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)

    def run(self, expression):
        """The value of a JavaScript expression; promises are awaited."""
        result = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait_for(self, expression, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.run(expression)
            # An element of the page is returned as an empty object.
            if value or isinstance(value, dict):
                return value
            time.sleep(0.1)
        raise TimeoutError(f"never true: {expression}")

    # How often the map has become idle.
    IDLE = "Number(document.body?.dataset.idle ?? 0)"
    # Whether no frame of the map is due. The last idle event may be from an earlier action.
    STILL = "!globalThis.coveyView?.map?._frameRequest && (globalThis.coveyView?.map?.loaded() ?? true)"

    def settle(self, action):
        """Does something that moves or redraws the map, and waits until the map is idle again."""
        before = self.run(self.IDLE)
        action()
        self.wait_for(f"{self.IDLE} > {before} && {self.STILL}")

    def resize(self, width, height):
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height,
            deviceScaleFactor=1, mobile=width < 600)

    def prefer(self, scheme):
        self.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme},
                      {"name": "prefers-reduced-motion", "value": "reduce"}])

    def click(self, x, y, count=1):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, button="none")
        for number in range(1, count + 1):
            for kind in ["mousePressed", "mouseReleased"]:
                self.call(
                    "Input.dispatchMouseEvent", type=kind, x=x, y=y, clickCount=number, button="left")

    def press(self, key, code=None, text=None):
        for kind in ["keyDown", "keyUp"]:
            extra = {"text": text} if text and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, **extra)

    def screenshot(self, path):
        if not self.draws:
            return
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
