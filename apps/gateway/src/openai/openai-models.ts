import { Injectable } from '@nestjs/common';
import { aliasCovers, isAliasFamily, type Model } from '@kinora/contracts/catalog/model';
import { catalogRpc, type ModelAlias, type Operation } from '@kinora/contracts/catalog/catalog.rpc';
import { DEFAULT_MODEL } from '@kinora/contracts/jobs/job-choices';
import type { Integer } from '@kinora/contracts/shared/scalars';
import { Bus } from '@kinora/bus';
import { OfferedModels } from '../catalog/offered-models';

const OPERATIONS = Object.keys(DEFAULT_MODEL) as Operation[];

/** A model as OpenAI's clients list it. */
export interface OpenAiModel {
  /** For `model` of a request. */
  id: string;
  object: 'model';
  /** Unix seconds. The catalog has no dates, so it is always 0. */
  created: Integer;
  owned_by: 'kinora';
}

/** What the OpenAI-compatible API offers: models, and other names for them. */
export interface OfferedNames {
  models: Model[];
  aliases: ModelAlias[];
}

/** The ids of the models, then their aliases, each name once. A family is no name, and is not listed. */
export function toOpenAiModels({ models, aliases }: OfferedNames): OpenAiModel[] {
  const ids = models.map(({ id }) => id);
  const named = aliases.filter(({ alias, model }) => ids.includes(model) && !isAliasFamily(alias));
  return [...new Set([...ids, ...named.map(({ alias }) => alias)])].map(toOpenAiModel);
}

/** The model of a name that is listed, or that belongs to a family; null for any other name. */
export function findOpenAiModel(name: string, offered: OfferedNames): OpenAiModel | null {
  const ids = offered.models.map(({ id }) => id);
  const isKnown = OPERATIONS.some((operation) => ids.includes(toModelId(name, operation, offered.aliases)));
  return isKnown ? toOpenAiModel(name) : null;
}

/** The id of the model that a name stands for in an operation: its alias, or else the longest family that it belongs to. */
export function toModelId(name: string, operation: Operation, aliases: readonly ModelAlias[]): string {
  const fitting = aliases.filter((each) => each.operation === operation && aliasCovers(each.alias, name));
  const exact = fitting.find(({ alias }) => alias === name);
  const [longest] = fitting.sort((one, other) => other.alias.length - one.alias.length);
  return (exact ?? longest)?.model ?? name;
}

function toOpenAiModel(id: string): OpenAiModel {
  return { id, object: 'model', created: 0, owned_by: 'kinora' };
}

@Injectable()
export class OpenAiNames {
  constructor(
    private readonly bus: Bus,
    private readonly models: OfferedModels,
  ) {}

  async read(): Promise<OfferedNames> {
    const [models, { data: aliases }] = await Promise.all([
      this.models.list(),
      this.bus.request(catalogRpc.listAliases, {}),
    ]);
    return { models, aliases };
  }
}
