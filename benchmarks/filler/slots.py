"""What the blanks of the phrases are filled with; each filling is used once a conversation."""

from __future__ import annotations

SLOTS: dict[str, tuple[str, ...]] = {
    "path": (
        *("src/billing/ledger.py", "config/prod.yaml", "docs/handbook.md", "migrations/0042_orders.sql"),
        *("lib/parser/tokens.rs", "app/routes/invoices.ts", "infra/dns/zones.tf", "assets/brand/logo.svg"),
        *("scripts/nightly.sh", "tests/golden/report.json", "vendor/qrcode.js", "web/src/theme.css"),
    ),
    "mod": (
        *("the invoice module", "the search index", "the export job", "the booking engine", "the login page"),
        *("the tax calculator", "the sync worker", "the mobile client", "the price list", "the audit trail"),
        *("the recommendation service", "the newsletter editor", "the import wizard", "the seating plan"),
    ),
    "service": (
        *("the payment gateway", "the mail relay", "the geocoder", "the warehouse API", "the CRM"),
        *("the analytics cluster", "the identity provider", "the image CDN", "the fax bridge"),
    ),
    "tool": ("ruff", "Terraform", "Playwright", "Figma", "pandoc", "Bazel", "Grafana", "Ansible", "esbuild"),
    "lib": ("requests", "lodash", "moment", "numpy", "boto3", "jQuery", "pandas", "guava", "left-pad"),
    "cmd": ("make verify", "npm run lint", "cargo clippy", "tox -e types", "go vet ./...", "rake audit"),
    "branch": ("main", "release-7", "stable", "develop", "hotfix-base"),
    "person": (
        *("Dana", "Marek", "Priya", "Tomás", "Ingrid", "Kofi", "Yuki", "Leila", "Ottokar", "Ruth", "Anselm"),
        *("Beatriz", "Hanh", "Wojtek", "Noor", "Celeste"),
    ),
    "name": ("Project Heron", "Blue Harbor", "Codename Quartz", "Operation Dahlia", "Northwind Two"),
    "lang": ("English", "German", "Portuguese", "Dutch", "Finnish", "Japanese"),
    "pii": ("phone numbers", "birth dates", "card numbers", "home addresses", "passport scans", "salaries"),
    "money": ("$956", "$4,150", "€780", "$12,300", "£2,640", "$67", "€31,500", "$845"),
    "n": ("3", "7", "12", "25", "40", "90", "150", "280", "14", "60"),
    "day": ("Friday", "14 May", "3 October", "21 June", "Tuesday", "9 December", "30 August", "Thursday"),
    "ver": ("Python 3.9", "Node 16", "Java 11", "Ruby 2.7", "PHP 8.1", "Go 1.20"),
    "db": ("Postgres", "MySQL", "SQLite", "MongoDB", "Cassandra", "DuckDB"),
    "port": ("8443", "5433", "9200", "3005", "6380", "7070"),
    "city": ("Rotterdam", "Gdańsk", "Porto", "Nairobi", "Osaka", "Leeds", "Tallinn"),
    "host": ("stage.heron.example", "db-3.internal", "edge7.example.org", "build.lan", "eu.api.example"),
    "id": ("W-48213", "CUST-7719", "INV-2093", "TCK-5512", "A1B-330", "PO-66102"),
    "secs": ("30 seconds", "45 seconds", "90 seconds", "5 minutes", "12 minutes", "2 hours", "250 ms"),
    "pct": ("15 %", "22 %", "80 %", "35 %", "95 %", "5 %"),
    "size": ("512 MB", "2 GB", "64 KB", "16 GB", "750 MB"),
    "region": ("eu-west-1", "us-east-2", "ap-south-1", "eu-north-1"),
    "format": ("CSV", "Parquet", "JSON", "XML", "PDF", "YAML"),
    "time": ("9:30", "14:00", "17:45", "8 am", "6 pm", "11:15"),
    "thing": (
        *(
            "dashboard",
            "cache",
            "changelog",
            "pipeline",
            "spreadsheet",
            "menu",
            "header",
            "backlog",
            "report",
        ),
        *("form", "sidebar", "queue", "calendar", "invoice", "playlist", "checklist", "wiki page", "survey"),
    ),
}
