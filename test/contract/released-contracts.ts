import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../deploy/build/source-files';
import { type Golden, incompatibilities } from './compatibility';

/** Copied from `golden` only when a release is made: its processes run beside those of the next release during an upgrade. */
const RELEASED = 'test/contract/released';

/** The incompatibilities between the contracts of the previous release and the current ones, in both directions. */
export function releaseIncompatibilities(): string[] {
  return readdirSync(path.join(ROOT, RELEASED)).flatMap((file) =>
    incompatibilities(read(RELEASED, file), read('test/contract/golden', file)),
  );
}

function read(folder: string, file: string): Golden {
  return JSON.parse(readFileSync(path.join(ROOT, folder, file), 'utf8')) as Golden;
}
