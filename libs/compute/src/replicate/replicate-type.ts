import type { ConfigProblem } from '@kinora/service-kit';
import { ModelTemplates } from '../hosted-model/model-templates';
import type { ModelTemplate } from '../hosted-model/model-template';
import type { ProviderType } from '../provider-type';
import { ReplicateSettings } from './replicate-settings';
import { ReplicateProvider } from './replicate.provider';

/** An official model, by its name without a version, or any other by the id of a version. */
const MODEL = /^([\w.-]+\/[\w.-]+|[0-9a-f]{64})$/;

export const replicateType: ProviderType<ReplicateSettings> = {
  type: 'replicate',
  settings: ReplicateSettings,
  create: (instance, settings, { egress, templatesDir }) =>
    new ReplicateProvider({
      instance,
      settings,
      egress,
      templates: ModelTemplates.read(templatesDir, 'replicate', findModelProblem),
    }),
};

function findModelProblem({ model }: ModelTemplate): ConfigProblem | null {
  if (model !== undefined && MODEL.test(model)) return null;
  return { path: ['model'], rule: "must be owner/name of an official model, or a version's 64 hex digits" };
}
