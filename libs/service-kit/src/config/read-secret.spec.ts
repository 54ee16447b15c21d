import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ConfigError } from './config-problem';
import { readSecret } from './read-secret';

describe('read secret', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'secrets-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function fileOf(text: string, name = 'token'): string {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  }

  it('is read from the file that the variable with _FILE names, without the line end', () => {
    expect(readSecret('TOKEN', { TOKEN_FILE: fileOf(' s3cret \n') })).toBe(' s3cret ');
    expect(readSecret('TOKEN', { TOKEN: '', TOKEN_FILE: fileOf('s3cret') })).toBe('s3cret');
  });

  it('is read from the variable itself if no file is named', () => {
    expect(readSecret('TOKEN', { TOKEN: 's3cret', TOKEN_FILE: '' })).toBe('s3cret');
    expect(readSecret('TOKEN', {})).toBeUndefined();
  });

  it('names the invalid variable, and never shows its content or that of the file', () => {
    const missing = path.join(folder, 'missing');
    const empty = fileOf('\n', 'empty');
    const attempts: [NodeJS.ProcessEnv, string][] = [
      [{ TOKEN_FILE: missing }, `TOKEN_FILE: ${missing} cannot be read (ENOENT)`],
      [{ TOKEN_FILE: folder }, `TOKEN_FILE: ${folder} cannot be read (EISDIR)`],
      [{ TOKEN_FILE: empty }, `TOKEN_FILE: ${empty} is empty`],
      [{ TOKEN_FILE: fileOf('s3cret'), TOKEN: 'other' }, 'TOKEN_FILE: TOKEN is set as well'],
    ];
    for (const [env, message] of attempts) expect(() => readSecret('TOKEN', env)).toThrow(new ConfigError(message));
  });
});
