// The program of background-process.spec.ts.
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { serveParent } from './serve-parent';

export type TestWork = 'double' | 'fail' | 'crash' | 'never' | 'describe';

export interface TestReply {
  bytes?: Buffer;
  priority?: number;
  /** The line that the kernel shows; null where there are no autogroups. */
  session?: string | null;
  environment?: string[];
}

if (process.send)
  serveParent<{ work: TestWork; bytes?: Buffer }, TestReply>(({ work, bytes = Buffer.alloc(0) }) => {
    switch (work) {
      case 'double':
        return Promise.resolve({ bytes: Buffer.from(bytes.map((byte) => 2 * byte)) });
      case 'fail':
        return Promise.reject(new Error('cannot work'));
      case 'crash':
        return process.exit(3);
      case 'never':
        return new Promise<never>(() => undefined);
      case 'describe':
        return Promise.resolve({
          priority: os.getPriority(),
          session: readSession(),
          environment: readVariables(),
        });
    }
  });

/** The names of the variables with which the kernel has started this process; empty without `/proc`. */
function readVariables(): string[] {
  try {
    return readFileSync('/proc/self/environ', 'utf8')
      .split('\0')
      .filter(Boolean)
      .map((line) => line.replace(/=.*/s, ''));
  } catch {
    return [];
  }
}

function readSession(): string | null {
  try {
    return readFileSync('/proc/self/autogroup', 'utf8');
  } catch {
    return null;
  }
}
