import type { ConfigProblem } from '@kinora/service-kit';
import type { ModelTemplate } from '../hosted-model/model-template';
import { ModelTemplates } from '../hosted-model/model-templates';
import type { ProviderType } from '../provider-type';
import { CogProvider } from './cog.provider';

/** A container runs one model, so this type has no settings of its own. */
export class CogSettings {}

export const cogType: ProviderType<CogSettings> = {
  type: 'cog',
  settings: CogSettings,
  create: (instance, _settings, { egress, templatesDir }) =>
    new CogProvider(instance, ModelTemplates.read(templatesDir, 'cog', findModelProblem), egress),
};

function findModelProblem({ model }: ModelTemplate): ConfigProblem | null {
  return model === undefined ? null : { path: ['model'], rule: 'must be left out: a container runs one model' };
}
