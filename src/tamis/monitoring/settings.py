"""The block `monitoring` of a settings file, with the keys of the published reference.

monitor = open_monitor(load_monitoring(Path("ralph.yaml")))
memory = LayeredMemory(load_settings(Path("ralph.yaml")), listener=monitor.memory("fix-totals"))
"""

import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from tamis.monitoring.decision_log import DecisionLog
from tamis.monitoring.metrics import Recorder
from tamis.monitoring.monitor import Monitor
from tamis.monitoring.quality import EVERY, SAMPLE, QualityCheck
from tamis.monitoring.tally import RULES, AlertRule
from tamis.yaml_files import read_documents

ROOT = "monitoring"

_RULE_OF = {
    "compression_ratio": "TamisCompressionIneffective",
    "processing_time_ms": "TamisCompactionSlow",
    "regret_rate": "TamisRegretHigh",
    "context_quality": "TamisQualityLow",
}


class _Group(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _bound(value: Any) -> Any:
    found = re.fullmatch(r"\s*([<>])\s*([0-9.]+)\s*", value) if isinstance(value, str) else None
    if found is None:
        raise ValueError('write "> 0.8" or "< 0.8"')
    return found[1], float(found[2])


def _every(value: Any) -> Any:
    found = re.fullmatch(r"every_(\d+)_runs", value) if isinstance(value, str) else None
    return int(found[1]) if found else value


class AlertSettings(_Group):
    """When the alert of a metric fires."""

    name: Literal["compression_ratio", "processing_time_ms", "regret_rate", "context_quality"]
    alert_if: Annotated[tuple[Literal["<", ">"], float], BeforeValidator(_bound)]


class QualitySettings(_Group):
    """The quality check; `frequency` as a number or as `every_10_runs`."""

    enabled: bool = True
    frequency: Annotated[int, BeforeValidator(_every), Field(ge=1)] = EVERY
    sample_size: int = Field(default=SAMPLE, ge=1)


class MonitoringSettings(_Group):
    """What is watched; `log_file` is the decision log, `log_level` that of what `tamis.memory` logs."""

    enabled: bool = True
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_file: str | None = None
    metrics: tuple[AlertSettings, ...] = ()
    quality_check: QualitySettings = QualitySettings()

    @property
    def rules(self) -> tuple[AlertRule, ...]:
        """The alert rules with the bounds that the file sets; where it names metrics, those alone."""
        by_name = {rule.name: rule for rule in RULES}
        bounds = [(by_name[_RULE_OF[metric.name]], *metric.alert_if) for metric in self.metrics]
        changed = tuple(
            replace(rule, bound=bound, fires_above=way == ">", says=f"{rule.subject} {way} {bound:g}")
            for rule, way, bound in bounds
        )
        return changed or RULES


def load_monitoring(path: Path) -> MonitoringSettings:
    """The block of a file; the defaults where it has none. Other blocks are not looked at.

    Raises:
        UnreadableFile: the file is missing or not text.
        InputError: not YAML, an unknown key, or a value that is not accepted; says file and line.
    """
    for document in read_documents(path):
        data = document.data.get(ROOT) if isinstance(document.data, dict) else None
        if data is None:
            continue
        try:
            return MonitoringSettings.model_validate(data)
        except ValidationError as error:
            problem = error.errors(include_url=False)[0]
            known = ", ".join(MonitoringSettings.model_fields)
            says = f"{problem['msg'].removeprefix('Value error, ')} (it is {problem['input']!r})"
            raise document.error((ROOT, *problem["loc"]), f"{says}; keys of {ROOT}: {known}") from None
    return MonitoringSettings()


def open_monitor(settings: MonitoringSettings, *, recorders: Sequence[Recorder] = ()) -> Monitor:
    """A monitor as the settings have it; where they turn it off, one that does nothing but feed recorders."""
    if not settings.enabled:
        return Monitor(recorders=recorders)
    logging.getLogger("tamis.memory").setLevel(settings.log_level)
    check = settings.quality_check
    if settings.log_file:
        Path(settings.log_file).parent.mkdir(parents=True, exist_ok=True)
    return Monitor(
        log=DecisionLog(settings.log_file) if settings.log_file else None,
        recorders=recorders,
        quality=QualityCheck(every=check.frequency, sample=check.sample_size) if check.enabled else None,
    )
