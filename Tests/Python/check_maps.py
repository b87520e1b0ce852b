"""Tests maps in notebooks: the server, its page in a frame, its end.

    check_maps.py FOLDER
"""

import contextlib
import gc
import io
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request

import covey

WORK = sys.argv[1]
PLACES = [(13.4, 52.5), (13.5, 52.4), (-0.1, 51.5)]


def policy(url):
    with urllib.request.urlopen(url) as answer:
        return answer.headers["Content-Security-Policy"]


def ended(url):
    for _ in range(100):
        try:
            urllib.request.urlopen(url, timeout=1).close()
        except urllib.error.URLError:
            return True
        time.sleep(0.05)
    return False


def main():
    shown = covey.view(PLACES, radius=40, height=300)
    assert f'src="{shown.url}"' in shown._repr_html_() and "300px" in shown._repr_html_()
    # A notebook has another origin, so the page must allow its frame.
    assert "frame-ancestors" not in policy(shown.url)
    url = shown.url
    del shown
    gc.collect()
    assert ended(url), "the server of a discarded map still runs"

    archive = os.path.join(WORK, "served.pmtiles")
    covey.build(PLACES, archive, force=True)
    with covey.serve(archive) as server:
        url = server.url
        assert "frame-ancestors 'none'" in policy(url)
    assert ended(url)
    with covey.view(archive) as server:
        assert server.url
    try:
        covey.view(archive, radius=3)
    except TypeError as error:
        assert "radius" in str(error)
    else:
        raise AssertionError("an option of `build` was accepted for an archive")
    try:
        covey.serve(os.path.join(WORK, "nowhere"))
    except covey.CoveyError as error:
        assert "nowhere" in str(error), error
    else:
        raise AssertionError("a folder that does not exist was served")

    # A server ends when Python ends.
    script = f"import covey; server = covey.serve({archive!r}); print(server.url)"
    url = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout.strip()
    assert ended(url)

    with contextlib.redirect_stderr(io.StringIO()) as errors:
        covey.build(PLACES, archive, force=True, progress=True)
    assert "\rtiles" in errors.getvalue() and "{" not in errors.getvalue(), errors.getvalue()


main()
