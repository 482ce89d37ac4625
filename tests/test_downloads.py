"""Downloads against a real server on this machine: what arrives, is refused, and is left behind."""

import contextlib
import hashlib
import http.server
import os
import re
import socket
import subprocess
import sys
import threading

import pytest

from cwr import downloads
from cwr.errors import UserError

BODY = b"word1\tword2\t0.5\n" * 20_000  # 320 kB: several chunks
FULL_DISK = """
import signal, resource, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)      # writing past the limit is then an OSError
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
from cwr import downloads
from cwr.errors import UserError
url, size, sha256 = sys.argv[1:]
try:
    downloads.fetch(downloads.Row("s", "o/r/c/f.tsv", int(size), sha256, url, "none"))
except UserError as error:
    print(error)
"""


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves BODY as /good, a body that ends early as /short, another one as /wrong; no more."""

    def do_GET(self):
        body = {"/good": BODY, "/short": BODY[:1000], "/wrong": BODY[::-1]}.get(self.path)
        self.send_response(200 if body else 404)
        self.send_header("Content-Length", str(len(BODY) if body else 0))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_port}"
        serving.shutdown()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CWR_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CWR_DATA", raising=False)
    return tmp_path / "cache"


def row(url):
    sha256 = hashlib.sha256(BODY).hexdigest()
    return downloads.Row("tiny", "owner/repo/commit/f.tsv", len(BODY), sha256, url, "none")


def files(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def refusal(url):
    with pytest.raises(UserError) as error:
        downloads.fetch(row(url))
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_file_is_downloaded_once_and_then_found(server, cache, capfd):
    place = downloads.fetch(row(f"{server}/good"))
    assert (
        place == cache / "downloads/owner/repo/commit/f.tsv" and place.read_bytes() == BODY
    )
    assert downloads.fetch(row("http://127.0.0.1:1/never-asked")) == place
    assert files(cache) == [place]
    assert capfd.readouterr().err == ""  # no bar, no log lines where nobody watches


def test_a_damaged_file_of_the_cache_is_fetched_again(server, cache):
    place = downloads.fetch(row(f"{server}/good"))
    place.write_bytes(BODY[:-1])
    assert downloads.fetch(row(f"{server}/good")).read_bytes() == BODY


def test_a_download_that_breaks_off_is_refused_and_leaves_nothing(server, cache):
    assert "broke off early" in refusal(f"{server}/short")
    assert files(cache) == []


def test_a_file_with_another_hash_is_refused_and_leaves_nothing(server, cache):
    assert "without the registered sha256" in refusal(f"{server}/wrong")
    assert files(cache) == []


def test_a_missing_page_is_named_with_the_servers_answer(server, cache):
    assert "answered 404" in refusal(f"{server}/gone")
    assert files(cache) == []


def test_without_network_the_file_the_address_and_the_variable_are_named(cache):
    with contextlib.closing(socket.socket()) as closed:
        closed.bind(("127.0.0.1", 0))  # bound, but nobody listens
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/f"
        said = refusal(url)
    assert "owner/repo/commit/f.tsv" in said and url in said and "CWR_DATA" in said
    assert files(cache) == []


def test_a_file_too_large_for_the_disk_is_refused_and_leaves_nothing(server, cache):
    given = row(f"{server}/good")
    command = [sys.executable, "-c", FULL_DISK, given.url, str(given.bytes), given.sha256]
    environment = {**os.environ, "CWR_CACHE": str(cache)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    sentence = r"cannot write o/r/c/f\.tsv below .*: free some space .* CWR_CACHE\n"
    assert re.fullmatch(sentence, done.stdout)
    assert done.stderr == "" and files(cache) == []


def test_a_full_disk_is_refused_and_leaves_nothing(server, cache):
    cache.mkdir()
    small_disk = ["mount", "-t", "tmpfs", "-o", "size=64k", "tiny", str(cache)]
    if (
        sys.platform != "linux"
        or subprocess.run(small_disk, capture_output=True).returncode
    ):
        pytest.skip("needs a Linux machine and the right (root's) to mount a small disk")
    try:
        assert "No space left on device" in refusal(f"{server}/good")
        assert files(cache) == []
    finally:
        subprocess.run(["umount", cache], check=True)


def test_a_folder_of_cwr_data_comes_before_cache_and_network(cache, tmp_path, monkeypatch):
    folders = [str(tmp_path / "empty"), str(tmp_path / "mine")]
    monkeypatch.setenv("CWR_DATA", os.pathsep.join(folders))
    mine = tmp_path / "mine/owner/repo/commit/f.tsv"
    mine.parent.mkdir(parents=True)
    mine.write_bytes(BODY)
    assert downloads.fetch(row("http://127.0.0.1:1/f")) == mine
    assert files(cache) == []


@pytest.mark.parametrize(
    ("content", "says"),
    [(BODY[:10], "has 10 bytes, not the registered 320000"), (BODY[::-1], "has sha256")],
)
def test_a_damaged_file_of_cwr_data_is_refused(
    cache, tmp_path, monkeypatch, content, says
):
    monkeypatch.setenv("CWR_DATA", str(tmp_path))
    mine = tmp_path / "owner/repo/commit/f.tsv"
    mine.parent.mkdir(parents=True)
    mine.write_bytes(content)
    said = refusal("http://127.0.0.1:1/f")
    assert says in said and str(mine) in said and "CWR_DATA" in said
    assert mine.read_bytes() == content


def test_an_unknown_file_or_set_is_refused_and_the_nearest_is_named():
    known = downloads.rows("sts")[0].path
    with pytest.raises(UserError, match=re.escape(f"did you mean {known!r}")):
        downloads.fetch(known.replace("sts.csv", "sts.tsv"))
    with pytest.raises(UserError, match="did you mean 'sts'"):
        downloads.rows("stss")


def test_every_row_is_pinned_checked_and_licensed():
    for each in downloads.rows():
        owner, repository, commit, path = each.path.split("/", 3)
        assert re.fullmatch("[0-9a-f]{40}", commit) and re.fullmatch(
            "[0-9a-f]{64}", each.sha256
        )
        assert each.url.endswith(f"/{owner}/{repository}/{commit}/{path}")
        assert each.bytes > 0 and each.licence
