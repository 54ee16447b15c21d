import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { LocalStack } from './local-stack';

/** Any keys, webhook secrets and signatures of links. */
const PATTERNS = [
  /knr_(?:live|test)_[0-9A-Za-z]{20,}/,
  /whsec_[0-9A-Za-z]{20,}/,
  /signature(?:=|%3D)[0-9A-Za-z_-]{16,}/i,
];
/** Long enough to find the line, short enough not to print the secret again. */
const SHOWN_CHARACTERS = 120;

/** The beginnings of log lines of any process that hold a secret of the stack, or one of the given words. */
export async function secretsInLogs({ dataDir }: LocalStack, words: string[]): Promise<string[]> {
  const own = Object.values(JSON.parse(await readFile(path.join(dataDir, 'secrets.json'), 'utf8')) as object);
  const forbidden = [...words, ...own.map(String)];
  const leaks = (line: string): boolean =>
    PATTERNS.some((pattern) => pattern.test(line)) || forbidden.some((word) => line.includes(word));
  const logs = path.join(dataDir, 'logs');
  const found: string[] = [];
  for (const file of await readdir(logs)) {
    const lines = (await readFile(path.join(logs, file), 'utf8')).split('\n');
    found.push(...lines.filter(leaks).map((line) => `${file}: ${line.slice(0, SHOWN_CHARACTERS)}`));
  }
  return found;
}
