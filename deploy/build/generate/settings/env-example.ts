import { settingsOf } from '@kinora/service-kit';
import type { GeneratedFiles } from '../generated-files';
import { exportsOf, sourceFiles } from '../../source-files';

type ConfigClass = new () => object;
type Setting = ReturnType<typeof settingsOf>[number];
type Value = string | number | boolean | undefined;

const HEADER = `# Every setting of Kinora, from its config classes: written by \`npm run generate\`.
# A line that is commented out shows the default. A secret may be in a file instead, named by NAME_FILE=/path/to/file.
`;

/** The reference of all settings with their meaning and default. */
export async function envExample(): Promise<GeneratedFiles> {
  const files = ['deploy', 'libs', 'apps'].flatMap((folder) => sourceFiles(folder, /\.config\.ts$/));
  const classes = (await Promise.all(files.map(configClassesIn))).flat();
  return { '.env.example': renderSettings(classes) };
}

/** Each class with the settings that it adds to its base class, base classes first. */
export function renderSettings(classes: ConfigClass[]): string {
  const fromTheBaseUp = classes.toSorted((one, other) => ancestorsOf(one).length - ancestorsOf(other).length);
  const sections = fromTheBaseUp.map(
    (configClass) => `\n## ${titleOf(configClass)}\n${renderOwnSettings(configClass)}`,
  );
  return HEADER + sections.join('');
}

async function configClassesIn(file: string): Promise<ConfigClass[]> {
  const exported = Object.values(await exportsOf(file));
  const classes = exported.filter((value): value is ConfigClass => typeof value === 'function' && 'prototype' in value);
  return classes.filter((value) => settingsOf(value).length > 0);
}

function ancestorsOf(configClass: ConfigClass): ConfigClass[] {
  const parent = Object.getPrototypeOf(configClass) as ConfigClass;
  return parent.prototype === undefined ? [] : [parent, ...ancestorsOf(parent)];
}

function renderOwnSettings(configClass: ConfigClass): string {
  const [parent] = ancestorsOf(configClass);
  const inherited = new Set(parent ? settingsOf(parent).map(({ property }) => property) : []);
  const initial = new configClass() as Record<string, Value>;
  const own = settingsOf(configClass).filter(({ property }) => !inherited.has(property));
  return own.map((setting) => renderSetting(setting, initial[setting.property])).join('');
}

function renderSetting({ env, description, secret }: Setting, initial: Value): string {
  const isRequired = initial === undefined;
  const value = isRequired || secret === true ? '' : String(initial);
  const notes = `${isRequired ? ' Required.' : ''}${secret === true ? ' Secret.' : ''}`;
  return `\n# ${description}${notes}\n${isRequired ? '' : '# '}${env}=${value}\n`;
}

/** `WebhookDispatcherConfig` → "Webhook dispatcher". */
function titleOf(configClass: ConfigClass): string {
  const words = configClass.name.replace(/Config$/, '').split(/(?=[A-Z])/);
  return words.map((word, index) => (index === 0 ? word : word.toLowerCase())).join(' ');
}
