import 'reflect-metadata';

export interface SettingOptions {
  /** The environment variable that sets the property. */
  env: string;
  /** One sentence for the operator, with its unit; it stands in `.env.example`. */
  description: string;
  /** Never printed, not even in an error. */
  secret?: boolean;
}

export interface Setting extends SettingOptions {
  property: string;
  type: 'string' | 'number' | 'boolean';
}

const SETTINGS = Symbol('kinora:settings');

/** Ties a property of a config class to an environment variable; the property's initial value is the default. */
export function Setting(options: SettingOptions): PropertyDecorator {
  return (prototype, property) => {
    const type = Reflect.getMetadata('design:type', prototype, property) as unknown;
    const own: Setting = { ...options, property: String(property), type: typeName(type) };
    Reflect.defineMetadata(SETTINGS, [...settingsOfPrototype(prototype), own], prototype);
  };
}

/** The settings of a config class in the order of their declaration, inherited ones first. */
export function settingsOf(configClass: new () => object): Setting[] {
  return settingsOfPrototype(configClass.prototype as object);
}

function settingsOfPrototype(prototype: object): Setting[] {
  return (Reflect.getMetadata(SETTINGS, prototype) as Setting[] | undefined) ?? [];
}

function typeName(type: unknown): Setting['type'] {
  if (type === Number) return 'number';
  if (type === Boolean) return 'boolean';
  return 'string';
}
