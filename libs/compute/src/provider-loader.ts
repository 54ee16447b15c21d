import path from 'node:path';
import { type ConfigError, type Environment, type FieldPath, OperatorDocument } from '@kinora/service-kit';
import type { ComputeProvider } from './compute-provider.port';
import { isRecord } from './http/json-answer';
import { InstanceDefinition, ProvidersFile } from './instance-definition';
import type { ProviderServices, ProviderType } from './provider-type';

/** A configured instance, with the data that jobs needs beside its adapter. */
export interface Instance {
  provider: ComputeProvider;
  type: string;
  loraDir: string | null;
}

/** The common fields; all others are settings of the type. */
const OWN_FIELDS: readonly string[] = ['id', 'type', 'url', 'headers', 'concurrency', 'shared_lora_dir'];

/** Loads the instances of the operator's `providers.yaml`; none where the file does not exist. */
export class ProviderLoader {
  constructor(
    private readonly types: readonly ProviderType[],
    private readonly services: ProviderServices,
  ) {}

  /** @throws ConfigError that names the first wrong line. */
  load(configDir: string, environment: Environment): Instance[] {
    const document =
      configDir === '' ? null : OperatorDocument.open(path.join(configDir, 'providers.yaml'), environment);
    if (!document) return [];
    const { content, problems } = document.check(ProvidersFile, document.plain);
    document.assertSound(problems);
    if (!Array.isArray(content.providers)) throw document.errorAt(['providers'], 'must be a list of instances');
    const entries = content.providers.map((entry: unknown, index) => this.read(document, entry, ['providers', index]));
    const repeated = entries.findIndex(({ id }, index) => entries.findIndex((other) => other.id === id) < index);
    if (repeated >= 0) throw document.errorAt(['providers', repeated, 'id'], 'is defined twice');
    // All entries are validated before the first connection is opened.
    return entries.map(({ make }) => make());
  }

  private read(document: OperatorDocument, entry: unknown, at: FieldPath): { id: string; make: () => Instance } {
    if (!isRecord(entry)) throw document.errorAt(at, 'must be a map of settings');
    const type = this.typeOf(entry, (field, rule) => document.errorAt([...at, field], rule));
    const fields = Object.entries(entry);
    const own = fields.filter(([name]) => OWN_FIELDS.includes(name));
    const others = fields.filter(([name]) => !OWN_FIELDS.includes(name));
    const instance = document.check(InstanceDefinition, Object.fromEntries(own), at);
    const settings = document.check(type.settings, Object.fromEntries(others), at);
    document.assertSound([...instance.problems, ...settings.problems]);
    const { shared_lora_dir: loraDir = null, ...common } = instance.content;
    common.concurrency = Math.max(common.concurrency, type.leastConcurrency ?? 1);
    return {
      id: common.id,
      make: () => ({ provider: this.create(type, common, settings.content, document, at), type: type.type, loraDir }),
    };
  }

  private create(
    type: ProviderType,
    { id, url, headers, concurrency }: Omit<InstanceDefinition, 'shared_lora_dir'>,
    settings: object,
    document: OperatorDocument,
    at: FieldPath,
  ): ComputeProvider {
    try {
      return type.create({ id, url, headers, concurrency }, settings, this.services);
    } catch (error) {
      throw document.errorAt(at, (error as Error).message);
    }
  }

  private typeOf(entry: object, errorAt: (field: string, rule: string) => ConfigError): ProviderType {
    const name: unknown = 'type' in entry ? entry.type : undefined;
    const type = this.types.find((candidate) => candidate.type === name);
    if (!type) throw errorAt('type', `must be one of ${this.types.map((known) => known.type).join(', ')}`);
    return type;
  }
}
