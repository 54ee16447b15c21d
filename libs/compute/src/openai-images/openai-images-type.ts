import type { ProviderType } from '../provider-type';
import { type Dialect, type DialectName, OpenAiImagesSettings } from './openai-images-settings';
import { localAiDialect } from './localai-dialect';
import { OpenAiImagesProvider } from './openai-images.provider';
import { sglangDialect } from './sglang-dialect';
import { vllmOmniDialect } from './vllm-omni-dialect';

const DIALECT_BY_NAME: Record<DialectName, Dialect> = {
  'vllm-omni': vllmOmniDialect,
  sglang: sglangDialect,
  localai: localAiDialect,
};

export const openAiImagesType: ProviderType<OpenAiImagesSettings> = {
  type: 'openai-images',
  settings: OpenAiImagesSettings,
  create: (instance, settings, { egress }) =>
    new OpenAiImagesProvider(instance, settings, DIALECT_BY_NAME[settings.dialect], egress),
};
