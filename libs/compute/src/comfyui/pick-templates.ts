import path from 'node:path';
import type { GraphTemplate } from './graph-template';
import { nearestNames } from '../nearest-names';
import { loadTemplates, SHIPPED_TEMPLATES_DIR } from './load-templates';

/**
 * The templates of an instance. An operator's template replaces the shipped one of the same name.
 * @throws Error, naming the setting, for a template that does not exist.
 */
export function pickTemplates(names: string[] | undefined, templatesDir: string | null): Map<string, GraphTemplate> {
  const all = new Map([...loadTemplates(SHIPPED_TEMPLATES_DIR), ...loadOwnTemplates(templatesDir)]);
  if (!names) return all;
  return new Map(
    names.map((name) => {
      const template = all.get(name);
      if (!template)
        throw new Error(`templates: there is no template ${name}; there are ${nearestNames(name, all.keys())}`);
      return [name, template];
    }),
  );
}

/** The operator's templates, in the folder `comfyui` or directly in the templates folder. */
export function loadOwnTemplates(templatesDir: string | null): Map<string, GraphTemplate> {
  if (templatesDir === null) return new Map();
  return new Map([...loadTemplates(templatesDir), ...loadTemplates(path.join(templatesDir, 'comfyui'))]);
}
