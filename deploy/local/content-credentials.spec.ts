import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ensureLocalAuthority, hasOwnCertificate } from './content-credentials';
import { dataFolderAt } from './data-folder';

const YEAR_MS = 365.25 * 24 * 3_600_000;

describe('the certificate of a local stack', () => {
  it('is made once for a data folder, with its root beside it, and anew before it expires', async () => {
    const folder = dataFolderAt(await mkdtemp(path.join(os.tmpdir(), 'kinora-authority-')));
    const now = new Date('2026-11-28T00:00:00Z');
    try {
      const made = await ensureLocalAuthority(folder, now);
      expect(await ensureLocalAuthority(folder, new Date(now.getTime() + YEAR_MS))).toEqual(made);
      expect(await readFile(folder.contentCredentialsRoot, 'utf8')).toBe(made.rootPem);
      const later = await ensureLocalAuthority(folder, new Date(now.getTime() + 4.95 * YEAR_MS));
      expect(later.certificatePem).not.toBe(made.certificatePem);
    } finally {
      await rm(folder.root, { recursive: true });
    }
  });

  it.each(['KINORA_C2PA_CERTIFICATE', 'KINORA_C2PA_CERTIFICATE_FILE'])('yields to %s', (name) => {
    expect(hasOwnCertificate({ [name]: 'x' })).toBe(true);
    expect(hasOwnCertificate({ [name]: '' })).toBe(false);
  });
});
