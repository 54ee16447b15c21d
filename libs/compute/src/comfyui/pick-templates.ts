import path from 'node:path';
import type { GraphTemplate } from './graph-template';
import { loadTemplates, SHIPPED_TEMPLATES_DIR } from './load-templates';

/**
 * The templates that an instance is for, of which an operator's takes the place of the shipped one of its name.
 * @throws Error, naming the setting, for a template that is not there.
 */
export function pickTemplates(names: string[] | undefined, templatesDir: string | null): Map<string, GraphTemplate> {
  const all = new Map([...loadTemplates(SHIPPED_TEMPLATES_DIR), ...loadOwnTemplates(templatesDir)]);
  if (!names) return all;
  return new Map(
    names.map((name) => {
      const template = all.get(name);
      if (!template)
        throw new Error(`templates: there is no template ${name}; there are ${[...all.keys()].join(', ')}`);
      return [name, template];
    }),
  );
}

/** The operator's, beside the templates of other types of providers or among them. */
export function loadOwnTemplates(templatesDir: string | null): Map<string, GraphTemplate> {
  if (templatesDir === null) return new Map();
  return new Map([...loadTemplates(templatesDir), ...loadTemplates(path.join(templatesDir, 'comfyui'))]);
}
