import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../deploy/build/source-files';
import { type Golden, incompatibilities } from './compatibility';

/** Copied from `golden` when a release is made, and not in between: processes of it run beside those of the next one. */
const RELEASED = 'test/contract/released';

/** What processes of the release before would not understand of what the contracts are now, or the other way round. */
export function releaseIncompatibilities(): string[] {
  return readdirSync(path.join(ROOT, RELEASED)).flatMap((file) =>
    incompatibilities(read(RELEASED, file), read('test/contract/golden', file)),
  );
}

function read(folder: string, file: string): Golden {
  return JSON.parse(readFileSync(path.join(ROOT, folder, file), 'utf8')) as Golden;
}
