# SPDX-License-Identifier: Apache-2.0
"""What bash, zsh and fish make of words of muster that are begun, from the files of an installation. Those that are not here are
not asked."""
import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from muster import install  # noqa: E402

WORDS = {
    "muster kern": "kernel_log",
    "muster expl": "explain",
    "muster scr": "scratch",
    "muster help calib": "calibrate",
    "muster help clo": "clock",
    "muster topology gen": "generate",
    "muster node --conf": "--confirm",
    "muster host_memory --thr": "--threads",
    "muster topology check --ro": "--root",
    "muster explain gpu_los": "gpu_lost",
    "muster calibrate run1.j": "run1.json",
}
BASH = """source "$1/share/bash-completion/completions/muster"
COMP_WORDS=($2) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_muster
[[ ${COMPREPLY[*]} ]] || mapfile -t COMPREPLY < <(compgen -o default -- "${COMP_WORDS[COMP_CWORD]}")
echo "${COMPREPLY[*]}"
"""
FISH = 'source $argv[1]/share/fish/vendor_completions.d/muster.fish; complete --do-complete $argv[2] | string replace --regex "\\t.*" ""'
# On a letter that nothing else means, it completes what is typed and prints it.
ZSH = """fpath=({}/share/zsh/site-functions $fpath); autoload -U compinit; compinit -u -D
show() {{ zle complete-word; print -r -- "<$BUFFER>" }}; zle -N show; bindkey '^T' show; print rea''dy
"""


def said(terminal, until, seconds=20):
    """What is printed until these letters are among it."""
    text = ""
    while until not in text and select.select([terminal], [], [], seconds)[0]:
        text += os.read(terminal, 65536).decode()
    return text


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.place = install(place.name)
        cls.environment = os.environ | {"PATH": f"{place.name}/bin:{os.environ['PATH']}", "TERM": "dumb"}
        with open(os.path.join(place.name, "run1.json"), "w", encoding="utf-8"):
            pass

    def expect(self, shell, complete):
        if not shutil.which(shell):
            self.skipTest(f"there is no {shell}")
        for typed, word in WORDS.items():
            with self.subTest(shell=shell, typed=typed):
                self.assertEqual(complete(typed), word)

    def run_shell(self, *command):
        return subprocess.run(command, cwd=self.place, env=self.environment, capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL).stdout.strip()

    def test_bash(self):
        self.expect("bash", lambda typed: self.run_shell("bash", "-c", BASH, "bash", self.place, typed))

    def test_fish(self):
        self.expect("fish", lambda typed: self.run_shell("fish", "--no-config", "--command", FISH, self.place, typed))

    def test_zsh(self):
        """zsh completes on a terminal alone."""
        def complete(typed):
            process, terminal = pty.fork()
            if process == 0:
                os.chdir(self.place)
                os.execvpe("zsh", ["zsh", "-f", "-i"], self.environment)
            try:
                os.write(terminal, ZSH.format(self.place).encode())
                said(terminal, "ready")
                os.write(terminal, typed.encode() + b"\x14")
                return said(terminal, ">").rpartition("<")[2].partition(">")[0].split()[-1]
            finally:
                os.close(terminal)
                os.waitpid(process, 0)

        self.expect("zsh", complete)


if __name__ == "__main__":
    unittest.main()
