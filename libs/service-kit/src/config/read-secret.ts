import { readFileSync } from 'node:fs';
import { ConfigError, type Environment } from './config-problem';

export function fileVariable(name: string): string {
  return `${name}_FILE`;
}

/**
 * Reads a secret from the variable itself, or from the file that `<name>_FILE` names, without the final line end that editors
 * add. Undefined if neither is set. An empty variable counts as absent.
 * @throws ConfigError if both are set, or if the file cannot be read or is empty.
 */
export function readSecret(name: string, env: Environment): string | undefined {
  const file = env[fileVariable(name)];
  if (!file) return env[name];
  if (env[name]) throw new ConfigError(`${fileVariable(name)}: ${name} is set as well`);
  const text = readText(file, name).replace(/\r?\n$/, '');
  if (text === '') throw new ConfigError(`${fileVariable(name)}: ${file} is empty`);
  return text;
}

function readText(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new ConfigError(`${fileVariable(name)}: ${file} cannot be read (${code})`);
  }
}
