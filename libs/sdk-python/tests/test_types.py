"""Strict types: of the package as it is installed, of its examples, and of a program that uses it."""

from __future__ import annotations

import json
import pathlib
import shutil
import subprocess
import sys
from typing import Any, List

import kinora
import pytest

HERE = pathlib.Path(__file__).parent
INSTALLED = pathlib.Path(kinora.__file__).parent

WRONG = """
from kinora import Kinora
kinora = Kinora()
kinora.images.generate(promt="a lighthouse")
kinora.images.create(prompt=7)
kinora.jobs.get(1)
"""


def problems(files: List[pathlib.Path], folder: pathlib.Path) -> List[Any]:
    """What pyright reports in strict mode, with copies so that no file counts as one of a library."""
    copies = folder / "checked"
    for file in files:
        target = copies / file.name
        target.parent.mkdir(exist_ok=True)
        if file.is_dir():
            shutil.copytree(file, target)
        else:
            target.write_text(file.read_text())
    version = "%d.%d" % sys.version_info[:2]
    settings = {"include": ["checked"], "typeCheckingMode": "strict", "pythonVersion": version}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(folder)]
    report = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    assert report["summary"]["filesAnalyzed"] > 0
    return [(pathlib.Path(one["file"]).name, one["range"]["start"]["line"], one["message"]) for one in report["generalDiagnostics"]]


@pytest.mark.parametrize("checked", [[INSTALLED], [HERE / "consumer.py", *sorted((HERE.parent / "examples").glob("*.py"))]])
def test_are_strict(checked: List[pathlib.Path], tmp_path: pathlib.Path) -> None:
    assert problems(checked, tmp_path) == []


def test_refuse_what_is_wrong(tmp_path: pathlib.Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text(WRONG)
    assert {line for _, line, _ in problems([wrong], tmp_path)} == {3, 4, 5}


def test_the_wheel_is_tested_and_not_the_source() -> None:
    assert "site-packages" in INSTALLED.parts
    assert (INSTALLED / "py.typed").exists()
