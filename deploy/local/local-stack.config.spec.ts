import os from 'node:os';
import path from 'node:path';
import { readLocalStackSettings } from './local-stack.config';
import { StartProblem } from './start-problem';

describe('settings of the local stack', () => {
  it('need nothing to be set', () => {
    expect(readLocalStackSettings({})).toEqual({
      port: 8080,
      dataDir: path.resolve('.kinora'),
      configDir: path.resolve('.kinora/config'),
      cacheDir: path.join(os.homedir(), '.cache/kinora'),
      replicas: {},
      databaseUrl: null,
      natsUrl: null,
    });
  });

  it('find the cache where the user keeps caches, or where it is told to be', () => {
    expect(readLocalStackSettings({ XDG_CACHE_HOME: '/caches' }).cacheDir).toBe('/caches/kinora');
    expect(readLocalStackSettings({ XDG_CACHE_HOME: 'relative' }).cacheDir).toBe(
      path.join(os.homedir(), '.cache/kinora'),
    );
    expect(readLocalStackSettings({ XDG_CACHE_HOME: '/caches', KINORA_CACHE_DIR: '/own' }).cacheDir).toBe('/own');
  });

  it('name the variable that cannot be used', () => {
    expect(() => readLocalStackSettings({ KINORA_PORT: 'http' })).toThrow(StartProblem);
    expect(() => readLocalStackSettings({ KINORA_PORT: 'http' })).toThrow(/^KINORA_PORT: /);
  });
});
