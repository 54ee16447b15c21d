import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { IsBoolean, IsInt, Max, MinLength } from 'class-validator';
import { ConfigError } from './config-problem';
import { loadConfig } from './load-config';
import { Setting, SettingGroup } from './setting.decorator';

class ExampleConfig {
  @Setting({ env: 'EXAMPLE_PORT', description: 'A port.' })
  @IsInt()
  @Max(65_535)
  port = 8080;

  @Setting({ env: 'EXAMPLE_VERBOSE', description: 'Says more.' })
  @IsBoolean()
  verbose = false;

  @Setting({ env: 'EXAMPLE_KEY', description: 'A key.', secret: true })
  @MinLength(6)
  key!: string;
}

class LargerConfig extends ExampleConfig {
  @Setting({ env: 'EXAMPLE_COUNT', description: 'A count.' })
  @IsInt()
  count = 1;
}

class GroupedConfig {
  @SettingGroup(ExampleConfig)
  example = new ExampleConfig();
}

describe('load config', () => {
  it('converts each variable to the type of its default', () => {
    const env = { EXAMPLE_PORT: '9090', EXAMPLE_VERBOSE: 'true', EXAMPLE_KEY: '123456' };
    expect(loadConfig(ExampleConfig, env)).toEqual({ port: 9090, verbose: true, key: '123456' });
  });

  it('keeps the default if a variable is absent or empty', () => {
    expect(loadConfig(ExampleConfig, { EXAMPLE_PORT: '', EXAMPLE_KEY: 'secret' })).toMatchObject({ port: 8080 });
  });

  it.each([
    [{ EXAMPLE_KEY: 'secret', EXAMPLE_PORT: 'http' }, /^EXAMPLE_PORT: must be a number \(it is "http"\)$/],
    [{ EXAMPLE_KEY: 'secret', EXAMPLE_PORT: ' ' }, /^EXAMPLE_PORT: must be a number \(it is " "\)$/],
    [{ EXAMPLE_KEY: 'secret', EXAMPLE_PORT: '70000' }, /^EXAMPLE_PORT: .*\(it is "70000"\)$/],
    [{ EXAMPLE_KEY: 'secret', EXAMPLE_VERBOSE: 'yes' }, /^EXAMPLE_VERBOSE: must be true or false$/],
    [{}, /^EXAMPLE_KEY: .*\(it is not set\)$/],
  ])('names the variable with an invalid value: %j', (env, message) => {
    expect(() => loadConfig(ExampleConfig, env)).toThrow(ConfigError);
    expect(() => loadConfig(ExampleConfig, env)).toThrow(message);
  });

  it('names the first of several invalid variables, in the order in which they are documented', () => {
    const env = { EXAMPLE_COUNT: 'many', EXAMPLE_PORT: 'http', EXAMPLE_KEY: '' };
    expect(() => loadConfig(LargerConfig, env)).toThrow(/^EXAMPLE_PORT: /);
  });

  it('reads a secret from the file that its variable with _FILE names, and does so for secrets only', () => {
    const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'load-config-')), 'secret');
    writeFileSync(file, '123456\n');
    expect(loadConfig(ExampleConfig, { EXAMPLE_KEY_FILE: file, EXAMPLE_PORT_FILE: file })).toMatchObject({
      key: '123456',
      port: 8080,
    });
    writeFileSync(file, 's3cr\n');
    expect(() => loadConfig(ExampleConfig, { EXAMPLE_KEY_FILE: file })).toThrow(/^EXAMPLE_KEY: ((?!s3cr|not set).)*$/);
    rmSync(path.dirname(file), { recursive: true });
  });

  it('never shows a secret, even if its value is invalid', () => {
    expect(() => loadConfig(ExampleConfig, { EXAMPLE_KEY: 's3cr' })).toThrow(/^EXAMPLE_KEY: ((?!s3cr).)*$/);
  });

  it('reads a group of settings as a nested config, and names an invalid variable in it', () => {
    const { example } = loadConfig(GroupedConfig, { EXAMPLE_PORT: '9090', EXAMPLE_KEY: '123456' });
    expect(example).toEqual({ port: 9090, verbose: false, key: '123456' });
    expect(() => loadConfig(GroupedConfig, { EXAMPLE_KEY: 's3cr' })).toThrow(/^EXAMPLE_KEY: /);
  });
});
