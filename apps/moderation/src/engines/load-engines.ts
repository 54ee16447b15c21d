import type { ConfigError, FieldPath, OperatorDocument } from '@kinora/service-kit';
import type { ModerationFile } from '../gate/moderation-file';
import { type ConfiguredEngine, ENGINE_TYPES, type ReadEntry } from './engine-types';
import { readThresholds } from './thresholds';

const MAX_ENGINES = 8;
/** Names that decisions already use. */
const BUILT_IN: readonly unknown[] = ['rules', 'hash'];

interface ReadEngine {
  id: string;
  make: () => ConfiguredEngine;
}

/**
 * The engines that the operator adds to the built-in ones.
 * @throws ConfigError that names the first wrong line.
 */
export function loadEngines({ document, sections }: ModerationFile): ConfiguredEngine[] {
  const { engines } = sections;
  if (!Array.isArray(engines)) throw document.errorAt(['engines'], 'must be a list of engines');
  if (engines.length > MAX_ENGINES) throw document.errorAt(['engines'], `must be at most ${MAX_ENGINES}`);
  const read = engines.map((entry: unknown, index) => readEntry(document, entry, ['engines', index]));
  const repeated = read.findIndex(({ id }, index) => read.findIndex((other) => other.id === id) < index);
  if (repeated >= 0)
    throw document.errorAt(['engines', repeated], `there are two engines of the id ${read[repeated]?.id}`);
  // Nothing is opened before everything is known to be right.
  return read.map(({ make }) => make());
}

function readEntry(document: OperatorDocument, entry: unknown, at: FieldPath): ReadEngine {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    throw document.errorAt(at, 'must be a map of settings');
  const errorAt = (field: string, rule: string) => document.errorAt([...at, field], rule);
  const typeName: unknown = 'type' in entry ? entry.type : undefined;
  const id: unknown = 'id' in entry ? entry.id : typeName;
  const readAs = typeOf(typeName, errorAt);
  if (BUILT_IN.includes(id)) throw errorAt('id', 'is the name of an engine that is always on');
  return readAs((type) => {
    const { content, problems } = document.check(type.settings, { ...entry, id }, at);
    const given: unknown = 'thresholds' in entry ? entry.thresholds : undefined;
    const read = readThresholds(given, type.thresholds, [...at, 'thresholds']);
    document.assertSound([...problems, ...read.problems]);
    return { id: String(id), make: () => type.create(content, read.thresholds) };
  });
}

function typeOf(name: unknown, errorAt: (field: string, rule: string) => ConfigError): ReadEntry {
  if (BUILT_IN.includes(name)) throw errorAt('type', `${String(name)} is always on and needs no entry`);
  const type = typeof name === 'string' && Object.hasOwn(ENGINE_TYPES, name) ? ENGINE_TYPES[name] : undefined;
  if (!type) throw errorAt('type', `must be one of ${Object.keys(ENGINE_TYPES).join(', ')}`);
  return type;
}
