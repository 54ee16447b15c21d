import type { ConfigProblem } from '@kinora/service-kit';
import type { ModelTemplate } from '../hosted-model/model-template';
import { ModelTemplates } from '../hosted-model/model-templates';
import type { ProviderType } from '../provider-type';
import { FalKeys } from './fal-keys';
import { FalSettings } from './fal-settings';
import { FalProvider } from './fal.provider';

/** `owner/app`, and the path of one of the app's endpoints. */
const MODEL = /^[\w.-]+\/[\w.-]+(\/[\w.-]+)*$/;

export const falType: ProviderType<FalSettings> = {
  type: 'fal',
  settings: FalSettings,
  create: (instance, settings, { egress, templatesDir }) =>
    new FalProvider({
      instance,
      settings,
      egress,
      keys: new FalKeys(settings.jwks_url, egress),
      templates: ModelTemplates.read(templatesDir, 'fal', findModelProblem),
    }),
};

function findModelProblem({ model }: ModelTemplate): ConfigProblem | null {
  if (model !== undefined && MODEL.test(model)) return null;
  return { path: ['model'], rule: 'must be the id of an endpoint, like fal-ai/flux/dev' };
}
