#!/usr/bin/env python3
"""Records what clients send: record.py FOLDER writes FOLDER/<client>.body for each client that is installed here.

Each sends the component as a file whose name needs care, the input as text, and a uniform. Their boundaries are replaced by one of
the form that the component declares. What .NET sends is written by hand, after its source (System.Net.Http.MultipartFormDataContent).
"""

import http.server
import pathlib
import subprocess
import sys
import tempfile
import threading

import urllib3

HERE = pathlib.Path(__file__).resolve().parent
BOUNDARY = b"uuid-3f2b8c1e-9d47-4a60-8e15-c07a5d1b92f4"
INPUT = "a; b=\"c\"\r\n\r\n--d\u00e9"
FILE = "my \"tar;get\\ \u00e9.wasm"

GO = """
package main

import ("bytes"; "mime/multipart"; "net/http"; "os"; "path/filepath")

func main() {
	wasm, _ := os.ReadFile(os.Args[2])
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, _ := form.CreateFormFile("component", filepath.Base(os.Args[2]))
	part.Write(wasm)
	form.WriteField("input", os.Args[3])
	form.WriteField("uniforms[first]", "88")
	form.Close()
	http.Post(os.Args[1], form.FormDataContentType(), &body)
}
"""

SCRIPT = """
const form = new FormData();
form.append("component", new File([wasm], name, { type: "application/wasm" }));
form.append("input", input);
form.append("uniforms[first]", "88");
await fetch(url, { method: "POST", body: form });
"""

PAGE = """<!doctype html><meta charset="utf-8"><script type="module">
const [url, name, input] = ["/", %r, %r];
const wasm = await (await fetch("/target.wasm")).arrayBuffer();
%s
</script>"""


class Server(http.server.BaseHTTPRequestHandler):
    body, wasm, got = None, b"", threading.Event()

    def answer(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        wasm = self.path == "/target.wasm"
        page = (PAGE % (FILE, INPUT, SCRIPT)).encode()
        self.answer("application/wasm" if wasm else "text/html", Server.wasm if wasm else page)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        boundary = self.headers.get_param("boundary")
        Server.body = body.replace(b"--" + boundary.encode(), b"--" + BOUNDARY)
        self.answer("text/plain", b"")
        Server.got.set()

    def log_message(self, *_):
        pass


def main():
    out = pathlib.Path(sys.argv[1])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        wasm, go, mjs = folder / FILE, folder / "main.go", folder / "main.mjs"
        subprocess.run(["wasm-as", HERE / "target.wat", "-o", wasm], check=True)
        Server.wasm = wasm.read_bytes()
        go.write_text(GO)
        mjs.write_text("import fs from 'fs';\nconst [url, path, name, input] = process.argv.slice(2);\n"
                       "const wasm = fs.readFileSync(path);\n" + SCRIPT)
        escaped = str(wasm).replace("\\", "\\\\").replace('"', '\\"')
        curl = ["curl", "-s", "-F", f'component=@"{escaped}"', "--form-string", f"input={INPUT}", "-F", "uniforms[first]=88", url]
        fields = {"component": (FILE, Server.wasm), "input": INPUT, "uniforms[first]": "88"}
        browser = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile", "--dump-dom",
                   "--virtual-time-budget=5000", url]
        for client, send in [
            ("curl", lambda: subprocess.run(curl, check=True)),
            ("python", lambda: urllib3.request("POST", url, fields=fields)),
            ("go", lambda: subprocess.run(["go", "run", go, url, wasm, INPUT], check=True)),
            ("node", lambda: subprocess.run(["node", mjs, url, wasm, FILE, INPUT], check=True)),
            ("chromium", lambda: subprocess.run(browser, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)),
        ]:
            Server.got.clear()
            send()
            assert Server.got.wait(10), client
            (out / f"{client}.body").write_bytes(Server.body)


main()
