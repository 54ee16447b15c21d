import path from 'node:path';
import { OperatorDocument } from '@kinora/service-kit';
import type { ComputeProvider } from './compute-provider.port';

const FILE = 'catalog.yaml';

/**
 * Every route of the operator's catalog to one of these instances must name a template that the instance has; otherwise its
 * jobs could run nowhere. The catalog itself validates the rest of the file.
 * @throws ConfigError that names the first wrong line
 */
export function assertRoutedTemplates(configDir: string, instances: ReadonlyMap<string, ComputeProvider>): void {
  const document = configDir === '' ? null : OperatorDocument.open(path.join(configDir, FILE));
  if (!document) return;
  for (const [index, model] of listAt(document.plain, 'models').entries())
    for (const [place, route] of listAt(model, 'routes').entries()) {
      const { provider = '', template } = (route ?? {}) as { provider?: string; template?: unknown };
      const names = instances.get(provider)?.templateNames;
      if (!names || (typeof template === 'string' && names.has(template))) continue;
      const known = names.size > 0 ? [...names].join(', ') : 'none';
      throw document.errorAt(
        ['models', index, 'routes', place, 'template'],
        `must name a template of ${provider}, which has ${known}`,
      );
    }
}

function listAt(parent: unknown, name: string): unknown[] {
  const list = (parent as Record<string, unknown> | null | undefined)?.[name];
  return Array.isArray(list) ? list : [];
}
