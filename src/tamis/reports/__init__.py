"""Showing what was measured: tables, JSON, Markdown and one HTML file. Computes nothing new."""

from tamis.reports.html import Page, render_html
from tamis.reports.json_report import RunReport, report_schema, run_report
from tamis.reports.markdown import render_markdown
from tamis.reports.reading_tables import reading_tables
from tamis.reports.report_writer import WrittenReport, write_report
from tamis.reports.tables import run_tables

__all__ = [
    "Page",
    "RunReport",
    "WrittenReport",
    "reading_tables",
    "render_html",
    "render_markdown",
    "report_schema",
    "run_report",
    "run_tables",
    "write_report",
]
