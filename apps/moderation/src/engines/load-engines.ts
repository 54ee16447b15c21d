import { isRecord } from '@kinora/contracts/shared/texts';
import { type Clock, type ConfigError, type FieldPath, type OperatorDocument, SYSTEM_CLOCK } from '@kinora/service-kit';
import { LOCAL_THRESHOLDS, localPolicy } from '../image/local-image.engine';
import { BUILT_IN_ENGINES } from '../judging/engine';
import type { ModerationFile } from '../judging/moderation-file';
import { type EnginePolicy, readThresholds } from '../judging/engine-policy';
import { type EngineAccess, ENGINE_TYPES, type ReadEntry } from './engine-types';
import { RemoteService } from './remote-service';

const MAX_ENGINES = 8;
const BUILT_IN: readonly unknown[] = BUILT_IN_ENGINES;
const LOCAL = 'local';

interface ReadEngine {
  policy: EnginePolicy;
  access: (clock: Clock) => EngineAccess;
}

type EnginesFile = Pick<ModerationFile, 'document' | 'sections'>;

/**
 * The engines that the operator adds to the built-in ones.
 * @throws ConfigError that names the first wrong line.
 */
export function loadEngines(file: EnginesFile, clock = SYSTEM_CLOCK): RemoteService[] {
  // All entries are validated before the first connection is opened.
  return readEngines(file).map(({ policy, access }) => new RemoteService(policy, access(clock), clock));
}

/** Reads the policies of the engines without opening any connection. @throws ConfigError as above */
export function readEnginePolicies(file: EnginesFile): EnginePolicy[] {
  return [readLocalPolicy(file), ...readEngines(file).map(({ policy }) => policy)];
}

/** The built-in image engine with the thresholds of its entry, if it has one. @throws ConfigError as above */
export function readLocalPolicy({ document, sections: { engines } }: EnginesFile): EnginePolicy {
  const index = Array.isArray(engines) ? engines.findIndex(isLocal) : -1;
  const entry: unknown = Array.isArray(engines) ? engines[index] : undefined;
  if (!isRecord(entry)) return localPolicy();
  const { thresholds, type: _, ...others } = entry;
  const at = ['engines', index];
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw document.errorAt([...at, other], 'is no setting of this engine: it has thresholds only');
  const read = readThresholds(thresholds, LOCAL_THRESHOLDS, [...at, 'thresholds']);
  document.assertSound(read.problems);
  return localPolicy(read.thresholds);
}

function isLocal(entry: unknown): boolean {
  return isRecord(entry) && entry['type'] === LOCAL;
}

function readEngines({ document, sections }: EnginesFile): ReadEngine[] {
  const { engines } = sections;
  if (!Array.isArray(engines)) throw document.errorAt(['engines'], 'must be a list of engines');
  if (engines.length > MAX_ENGINES) throw document.errorAt(['engines'], `must be at most ${MAX_ENGINES}`);
  const second = engines.findLastIndex(isLocal);
  if (second > engines.findIndex(isLocal))
    throw document.errorAt(['engines', second], 'there are two entries of local');
  const read = engines.flatMap((entry: unknown, index) =>
    isLocal(entry) ? [] : [readEntry(document, entry, ['engines', index])],
  );
  const ids = read.map(({ policy }) => policy.id);
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) < index);
  if (repeated >= 0) throw document.errorAt(['engines', repeated], `there are two engines of the id ${ids[repeated]}`);
  return read;
}

function readEntry(document: OperatorDocument, entry: unknown, at: FieldPath): ReadEngine {
  if (!isRecord(entry)) throw document.errorAt(at, 'must be a map of settings');
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
    const { thresholds } = read;
    return {
      policy: { id: String(id), model: type.modelOf(content), judges: type.kindsOf(content), thresholds },
      access: (clock) => type.access({ ...content, clock }, thresholds),
    };
  });
}

function typeOf(name: unknown, errorAt: (field: string, rule: string) => ConfigError): ReadEntry {
  if (BUILT_IN.includes(name)) throw errorAt('type', `${String(name)} is always on and needs no entry`);
  const type = typeof name === 'string' && Object.hasOwn(ENGINE_TYPES, name) ? ENGINE_TYPES[name] : undefined;
  if (!type) throw errorAt('type', `must be one of ${Object.keys(ENGINE_TYPES).join(', ')}`);
  return type;
}
