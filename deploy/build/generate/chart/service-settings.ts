import { settingsOf } from '@kinora/service-kit';
import { exportsOf, sourceFiles } from '../../source-files';

type ConfigClass = new () => object;
type Value = string | number | boolean | undefined;

/** A variable that a program reads. */
export interface ServiceSetting {
  env: string;
  description: string;
  isSecret: boolean;
  isRequired: boolean;
  type: 'string' | 'number' | 'boolean';
}

/** The environment variables that each program under apps reads, by the program's name. */
export async function serviceSettings(): Promise<Record<string, ServiceSetting[]>> {
  const classes = Object.entries(await configClasses());
  return Object.fromEntries(classes.map(([program, configs]) => [program, configs.flatMap(settingsOfClass)]));
}

/** The config classes of each program under apps, by the program's name. */
export async function configClasses(): Promise<Record<string, ConfigClass[]>> {
  const files = sourceFiles('apps', /\.config\.ts$/);
  const found = await Promise.all(
    files.map(
      async (file) => [file.split('/')[1] ?? file, Object.values(await exportsOf(file)).filter(isConfigClass)] as const,
    ),
  );
  return Object.fromEntries(found);
}

/** Includes the nested configs that several classes share. */
function settingsOfClass(configClass: ConfigClass): ServiceSetting[] {
  const initial = new configClass() as Record<string, Value | object>;
  const own = settingsOf(configClass).map(({ env, description, secret, property }) => {
    const byDefault = initial[property] as Value;
    return {
      env,
      description,
      isSecret: secret === true,
      isRequired: byDefault === undefined,
      type: typeOf(byDefault),
    };
  });
  const groups = Object.values(initial)
    .filter((value) => typeof value === 'object' && value !== null)
    .map((value) => value.constructor as ConfigClass);
  return [...own, ...groups.filter(isConfigClass).flatMap(settingsOfClass)];
}

function typeOf(byDefault: Value): ServiceSetting['type'] {
  return typeof byDefault === 'number' || typeof byDefault === 'boolean'
    ? (typeof byDefault as 'number' | 'boolean')
    : 'string';
}

function isConfigClass(value: unknown): value is ConfigClass {
  return typeof value === 'function' && 'prototype' in value && settingsOf(value as ConfigClass).length > 0;
}
