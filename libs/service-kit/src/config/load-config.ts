import { validateSync } from 'class-validator';
import { ConfigError } from './config-problem';
import { readSecret } from './read-secret';
import { type Setting, groupsOf, settingsOf } from './setting.decorator';

/**
 * Reads a config class from the environment; a secret may be in a file (`<NAME>_FILE`). An empty variable counts as absent.
 *
 * Not @nestjs/config (4.0.4 is its version for Nest 11): it would only replace the reading of `process.env`, one line here, and
 * its `validate` is a function such as this one. The launcher and the sandbox, which run without Nest, also read their settings
 * here.
 * @throws ConfigError that names the first invalid variable.
 */
export function loadConfig<Config extends object>(configClass: new () => Config, env: NodeJS.ProcessEnv): Config {
  const config = new configClass();
  const defaults = new Map<string, unknown>(Object.entries(config));
  const settings = settingsOf(configClass);
  const texts = new Map(settings.map((setting) => [setting, textOf(setting, env)]));
  for (const [setting, text] of texts) {
    if (text !== undefined && text !== '')
      Object.assign(config, { [setting.property]: parse(setting, text, defaults.get(setting.property)) });
  }
  const problems = validateSync(config, { forbidUnknownValues: false });
  for (const setting of settings) {
    const problem = problems.find(({ property }) => property === setting.property);
    const rule = Object.values(problem?.constraints ?? {})[0];
    if (rule !== undefined) throw new ConfigError(`${setting.env}: ${rule}${shown(setting, texts.get(setting))}`);
  }
  for (const { property, groupClass } of groupsOf(configClass)) {
    Object.assign(config, { [property]: loadConfig(groupClass, env) });
  }
  return config;
}

function textOf({ env: name, secret }: Setting, env: NodeJS.ProcessEnv): string | undefined {
  return secret === true ? readSecret(name, env) : env[name];
}

/** The type comes from the default value. The compiler emits types for explicit annotations only, and a default needs none. */
function parse(setting: Setting, text: string, byDefault: unknown): string | number | boolean {
  if (typeof byDefault === 'number') return parseNumber(setting, text);
  if (typeof byDefault !== 'boolean') return text;
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new ConfigError(`${setting.env}: must be true or false`);
}

/** Checked before the rules of the class: text that is no number violates all of them, and the error would name a bound. */
function parseNumber(setting: Setting, text: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isNaN(number)) throw new ConfigError(`${setting.env}: must be a number${shown(setting, text)}`);
  return number;
}

function shown(setting: Setting, text: string | undefined): string {
  if (!text) return ' (it is not set)';
  return setting.secret === true ? '' : ` (it is ${JSON.stringify(text)})`;
}
