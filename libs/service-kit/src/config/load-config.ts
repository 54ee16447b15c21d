import { validateSync } from 'class-validator';
import { type Setting, settingsOf } from './setting.decorator';

/** A setting that cannot be used. The message names the variable and never shows a secret. */
export class ConfigError extends Error {}

/**
 * Reads a config class from the environment. An empty variable counts as absent.
 * @throws ConfigError that names the first bad variable.
 */
export function loadConfig<Config extends object>(configClass: new () => Config, env: NodeJS.ProcessEnv): Config {
  const config = new configClass();
  const defaults = new Map<string, unknown>(Object.entries(config));
  const settings = settingsOf(configClass);
  for (const setting of settings) {
    const text = env[setting.env];
    if (text !== undefined && text !== '')
      Object.assign(config, { [setting.property]: parse(setting, text, defaults.get(setting.property)) });
  }
  const [problem] = validateSync(config, { forbidUnknownValues: false });
  if (problem) {
    const setting = settings.find(({ property }) => property === problem.property);
    const rule = Object.values(problem.constraints ?? {})[0] ?? 'is invalid';
    throw new ConfigError(`${setting?.env ?? problem.property}: ${rule}${shown(setting, problem.value)}`);
  }
  return config;
}

/** The default tells the type: the compiler's own record of types knows only what is written out, and no default needs that. */
function parse(setting: Setting, text: string, byDefault: unknown): string | number | boolean {
  if (typeof byDefault === 'number') return text.trim() === '' ? Number.NaN : Number(text);
  if (typeof byDefault !== 'boolean') return text;
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new ConfigError(`${setting.env}: must be true or false`);
}

function shown(setting: Setting | undefined, value: unknown): string {
  if (value === undefined) return ' (it is not set)';
  return setting?.secret === true ? '' : ` (it is ${JSON.stringify(value)})`;
}
