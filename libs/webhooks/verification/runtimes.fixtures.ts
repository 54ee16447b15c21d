import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * A language that receivers are written in. Its program reads the vectors from standard input and prints its verdicts
 * as JSON.
 */
export interface Runtime {
  language: string;
  file: string;
  command: string;
  probe: string[];
  run: string[];
  /** Files that the code for receivers needs beside it in order to run. */
  beside?: Record<string, string>;
  /**
   * Text that the code must contain, even if it cannot be run here: the tolerance, and a comparison in constant time.
   */
  says: string[];
}

const GO_MAIN = `package main

import (
	"encoding/json"
	"os"
	"time"
	"webhooks"
)

func main() {
	var vectors []struct {
		RawBody    string \`json:"raw_body"\`
		Signature  string \`json:"signature"\`
		Secret     string \`json:"secret"\`
		NowSeconds int64  \`json:"now_seconds"\`
	}
	if err := json.NewDecoder(os.Stdin).Decode(&vectors); err != nil {
		panic(err)
	}
	verdicts := []bool{}
	for _, v := range vectors {
		now := time.Unix(v.NowSeconds, 0)
		verdicts = append(verdicts, webhooks.VerifyWebhook([]byte(v.RawBody), v.Signature, v.Secret, now))
	}
	if err := json.NewEncoder(os.Stdout).Encode(verdicts); err != nil {
		panic(err)
	}
}
`;

const PYTHON_MAIN = `import json, sys
from verify import verify_webhook as v
print(json.dumps([v(x["raw_body"].encode(), x["signature"], x["secret"], x["now_seconds"]) for x in json.load(sys.stdin)]))`;

const PHP_MAIN = `require 'verify.php';
echo json_encode(array_map(fn($x) => verify_webhook($x['raw_body'], $x['signature'], $x['secret'], $x['now_seconds']),
  json_decode(file_get_contents('php://stdin'), true)));`;

export const RUNTIMES: readonly Runtime[] = [
  {
    language: 'Python',
    file: 'verify.py',
    command: 'python3',
    probe: ['--version'],
    run: ['-c', PYTHON_MAIN],
    says: ['TOLERANCE_SECONDS = 300', 'hmac.compare_digest'],
  },
  {
    language: 'PHP',
    file: 'verify.php',
    command: 'php',
    probe: ['--version'],
    run: ['-r', PHP_MAIN],
    says: ['TOLERANCE_SECONDS = 300', 'hash_equals'],
  },
  {
    language: 'Go',
    file: 'verify.go',
    command: 'go',
    probe: ['version'],
    run: ['run', './main'],
    beside: { 'go.mod': 'module webhooks\n\ngo 1.20\n', 'main/main.go': GO_MAIN },
    says: ['toleranceSeconds = 300', 'hmac.Equal'],
  },
];

export function isAtHand({ command, probe }: Runtime): boolean {
  return spawnSync(command, probe).status === 0;
}

/** Runs a language's code for receivers in a temporary folder. */
export function judge({ file, command, run, beside = {} }: Runtime, input: string): { stdout: string; stderr: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'kinora-verify-'));
  try {
    cpSync(path.join(__dirname, file), path.join(folder, file));
    for (const [name, text] of Object.entries(beside)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    // The code needs nothing but the standard library of its language.
    const offline = ['GOPROXY=off', 'GOTOOLCHAIN=local'];
    return spawnSync('env', [...offline, command, ...run], { cwd: folder, input, encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
