import path from 'node:path';
import { OperatorDocument } from '@kinora/service-kit';
import type { Instance } from './provider-loader';

/** More names would push the rest of the message out of sight. */
const MAX_SHOWN = 5;

/** A list of names for a message about a wrong one, the most similar first: it is probably a misspelt one. */
export function nearestNames(wrong: string, known: Iterable<string>): string {
  const ranked = [...known]
    .map((name) => ({ name, rank: rankOf(wrong.toLowerCase(), name.toLowerCase()) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ name }) => name);
  const more = ranked.length - MAX_SHOWN;
  if (ranked.length === 0) return 'none';
  return ranked.slice(0, MAX_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** A name that continues the wrong one comes first, whatever its length; then the fewest edits. */
function rankOf(wrong: string, name: string): number {
  return wrong !== '' && name.includes(wrong) ? -1 / name.length : editsBetween(wrong, name);
}

/** The Levenshtein distance. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j += 1)
      next.push(Math.min((row[j] ?? 0) + (letter === other[j] ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    row = next;
  }
  return row[other.length] ?? 0;
}

const FILE = 'catalog.yaml';

type Instances = ReadonlyMap<string, Instance>;

/**
 * What the operator's catalog promises, its instances must have; otherwise jobs could run nowhere. The catalog itself validates
 * the rest of the file.
 * @throws ConfigError that names the first wrong line
 */
export function assertRoutes(configDir: string, instances: Instances): void {
  const document = configDir === '' ? null : OperatorDocument.open(path.join(configDir, FILE));
  if (!document) return;
  for (const [index, model] of listAt(document.plain, 'models').entries()) {
    for (const [place, route] of listAt(model, 'routes').entries()) {
      const problem = findTemplateProblem(route, instances);
      if (problem !== null) throw document.errorAt(['models', index, 'routes', place, 'template'], problem);
    }
    const problem = findLoraProblem(model, instances);
    if (problem !== null) throw document.errorAt(['models', index, 'capabilities', 'loras'], problem);
  }
}

/** Every route to one of these instances names a template that the instance has. */
function findTemplateProblem(route: unknown, instances: Instances): string | null {
  const { provider = '', template } = (route ?? {}) as { provider?: string; template?: unknown };
  const names = instances.get(provider)?.provider.templateNames;
  if (!names || (typeof template === 'string' && names.has(template))) return null;
  const known = nearestNames(typeof template === 'string' ? template : '', names);
  return `must name a template of ${provider}, which has ${known}`;
}

/** A model that takes LoRAs by URL has an instance that can load them. */
function findLoraProblem(model: unknown, instances: Instances): string | null {
  const { capabilities } = (model ?? {}) as { capabilities?: { loras?: unknown } | null };
  if (capabilities?.loras !== 'url') return null;
  const names = listAt(model, 'routes').map((route) => String((route as { provider?: unknown } | null)?.provider));
  const cannot = names.filter((name) => {
    const instance = instances.get(name);
    return instance?.provider.needsLoraFiles === true && instance.loraDir === null;
  });
  if (names.length === 0 || cannot.length < names.length) return null;
  return `must not be url, because ${[...new Set(cannot)].join(', ')} has no shared_lora_dir in providers.yaml`;
}

function listAt(parent: unknown, name: string): unknown[] {
  const list = (parent as Record<string, unknown> | null | undefined)?.[name];
  return Array.isArray(list) ? list : [];
}
