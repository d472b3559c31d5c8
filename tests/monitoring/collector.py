"""An OTLP collector on loopback, for the tests of what is sent to one."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest


class Collector:
    """Takes exports over HTTP and keeps what they say."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.exports: list[ExportMetricsServiceRequest] = []
        self.url = ""

    def sums(self) -> dict[str, float]:
        """The sums of the newest export, by metric."""
        (resource,) = self.exports[-1].resource_metrics
        return {
            metric.name: sum(point.as_double or point.as_int for point in metric.sum.data_points)
            for metric in resource.scope_metrics[0].metrics
        }


@contextmanager
def collecting() -> Iterator[Collector]:
    """A collector that runs."""
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            if self.headers.get("content-encoding") == "gzip":
                body = gzip.decompress(body)
            collector.paths.append(self.path)
            collector.exports.append(ExportMetricsServiceRequest.FromString(body))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        collector.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield collector
        finally:
            server.shutdown()
            thread.join()
