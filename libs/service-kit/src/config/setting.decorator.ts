import 'reflect-metadata';

export interface SettingOptions {
  /** The environment variable that sets the property. */
  env: string;
  /** One sentence for the operator, with the unit; generated into `.env.example`. */
  description: string;
  /** Never printed, not even in an error. */
  secret?: boolean;
}

export interface Setting extends SettingOptions {
  property: string;
}

/** Settings that several services share, as a nested config. */
export interface SettingGroup {
  property: string;
  groupClass: new () => object;
}

const SETTINGS = Symbol('kinora:settings');
const GROUPS = Symbol('kinora:setting-groups');

/**
 * Binds a property of a config class to an environment variable. The property's initial value is the default. Its type decides
 * whether the variable is read as a number, a boolean or text; without a default it is text.
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

/** Binds a property of a config class to a nested config class, which is read from the same environment. */
export function SettingGroup(groupClass: new () => object): PropertyDecorator {
  return (prototype, property) => {
    const own: SettingGroup = { property: String(property), groupClass };
    Reflect.defineMetadata(GROUPS, [...groupsOfPrototype(prototype), own], prototype);
  };
}

export function groupsOf(configClass: new () => object): SettingGroup[] {
  return groupsOfPrototype(configClass.prototype as object);
}

function groupsOfPrototype(prototype: object): SettingGroup[] {
  return (Reflect.getMetadata(GROUPS, prototype) as SettingGroup[] | undefined) ?? [];
}
