import { statSync } from 'node:fs';
import path from 'node:path';

const ENTER_BY_OTHERS = 0o001;

/** The outermost folder of a path that only its owner may enter; null if all are open to other users. */
export function findBlockingFolder(target: string): string | null {
  const parent = path.dirname(target);
  const outer = parent === target ? null : findBlockingFolder(parent);
  if (outer !== null) return outer;
  const stats = statSync(target, { throwIfNoEntry: false });
  return stats === undefined || (stats.mode & ENTER_BY_OTHERS) !== 0 ? null : target;
}
