// Stores the hashes of passed checks, each over all inputs, so that the same inputs are not checked twice.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Enough for about ten states of the whole repository. */
const MOST_KEPT = 20_000;

export class Passed {
  constructor(root, name) {
    this.file = path.join(root, 'node_modules/.cache/kinora-check', `${name}.json`);
    try {
      this.keys = new Set(JSON.parse(readFileSync(this.file, 'utf8')));
    } catch {
      this.keys = new Set();
    }
  }

  has(key) {
    return this.keys.has(key);
  }

  add(keys) {
    for (const key of keys) this.keys.delete(key);
    for (const key of keys) this.keys.add(key);
    mkdirSync(path.dirname(this.file), { recursive: true });
    // Two checks may run at once: the rename keeps the file complete.
    const draft = `${this.file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify([...this.keys].slice(-MOST_KEPT)));
    renameSync(draft, this.file);
  }
}
