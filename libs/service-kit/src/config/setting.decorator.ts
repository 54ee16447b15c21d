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
}

const SETTINGS = Symbol('kinora:settings');

/**
 * Ties a property of a config class to an environment variable. The property's initial value is the default, and says
 * whether the variable is read as a number, as true or false, or as it is; without one it is text.
 */
export function Setting(options: SettingOptions): PropertyDecorator {
  return (prototype, property) => {
    const own: Setting = { ...options, property: String(property) };
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
