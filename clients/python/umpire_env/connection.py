"""The step API, spoken with nothing but the standard library."""

import json
import subprocess
import urllib.error
import urllib.request

# An attempt's page may take its time to open, and a verdict to be found; both have limits of their own.
REQUEST_SECONDS = 900


class UmpireError(RuntimeError):
    """Umpire refused a request, or could not be started. `status` is the HTTP status, if there was one."""

    def __init__(self, message, status=None):
        super().__init__(message)
        self.status = status


class StepsConnection:
    """A server of the step API: one that is running already, or one that lives as long as this object."""

    def __init__(self, url, process=None):
        self.url = url.rstrip("/")
        self._process = process
        # Proxies of the environment are for the web, not for this machine.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    @classmethod
    def start(cls, arguments, umpire="umpire"):
        """Starts `umpire steps` with these arguments on a free port."""
        command = [umpire, "--json", "steps", "--port", "0", *arguments]
        try:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        except OSError as error:
            raise UmpireError(f"{umpire} cannot be started: {error}") from error
        line = process.stdout.readline()
        if not line:
            raise UmpireError(f"{' '.join(command)} ended with {process.wait()}; see what it said above")
        return cls(json.loads(line)["url"], process)

    def get(self, path):
        return self._ask(urllib.request.Request(self.url + path))

    def post(self, path, body):
        data = json.dumps(body).encode()
        headers = {"content-type": "application/json"}
        return self._ask(urllib.request.Request(self.url + path, data=data, headers=headers))

    def _ask(self, request):
        try:
            with self._opener.open(request, timeout=REQUEST_SECONDS) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            text = error.read().decode(errors="replace")
            try:
                reason = json.loads(text)["error"]
            except (ValueError, KeyError, TypeError):
                reason = text
            raise UmpireError(reason, error.code) from None
        except urllib.error.URLError as error:
            raise UmpireError(f"{self.url} does not answer: {error.reason}") from error

    def close(self):
        """Ends the server, if it was started here."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
