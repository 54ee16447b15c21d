import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { ModelTemplates } from '../hosted-model/model-templates';
import type { ModelTemplate } from '../hosted-model/model-template';
import type { TemplateProblem } from '../hosted-model/template-problem';
import type { ProviderType } from '../provider-type';
import { ReplicateProvider } from './replicate.provider';

/** An official model by its name, which has no versions, or any other by one of its versions. */
const MODEL = /^([\w.-]+\/[\w.-]+|[0-9a-f]{64})$/;

export class ReplicateSettings {
  /** Of the account's webhooks; without it a callback is believed for its address alone. */
  @IsOptional()
  @Matches(/^whsec_[A-Za-z0-9+/]+={0,2}$/, { message: 'must be whsec_ and base64' })
  webhook_secret?: string;

  /** Replicate stops what takes longer, also if nobody is left to cancel it. Its own limit is 30 minutes. */
  @IsInt()
  @Min(5)
  @Max(1_800)
  cancel_after_seconds = 1_800;
}

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

function findModelProblem({ model }: ModelTemplate): TemplateProblem | null {
  if (model !== undefined && MODEL.test(model)) return null;
  return { path: ['model'], rule: "must be owner/name of an official model, or a version's 64 hex digits" };
}
