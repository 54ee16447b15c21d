import path from 'node:path';
import { readLocalStackSettings } from './local-stack.config';
import { StartProblem } from './start-problem';

describe('settings of the local stack', () => {
  it('have defaults for all', () => {
    expect(readLocalStackSettings({ KINORA_CACHE_DIR: '/cache' })).toEqual({
      port: 8080,
      consolePort: null,
      dataDir: path.resolve('.kinora'),
      configDir: path.resolve('.kinora/config'),
      cacheDir: '/cache',
      replicas: {},
      databaseUrl: null,
      databasePoolerAddress: null,
      natsUrl: null,
    });
  });

  it('name the invalid variable', () => {
    expect(() => readLocalStackSettings({ KINORA_PORT: 'http' })).toThrow(StartProblem);
    expect(() => readLocalStackSettings({ KINORA_PORT: 'http' })).toThrow(/^KINORA_PORT: /);
  });
});
