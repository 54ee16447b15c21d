import { ModelTemplates } from '../hosted-model/model-templates';
import type { ProviderType } from '../provider-type';
import { comfyuiWorker } from './comfyui-worker';
import { plainWorker } from './plain-worker';
import { RunpodSettings } from './runpod-settings';
import { RunpodProvider } from './runpod.provider';

export const runpodType: ProviderType<RunpodSettings> = {
  type: 'runpod',
  settings: RunpodSettings,
  create: (instance, settings, { templatesDir, egress }) => {
    const payload =
      settings.worker === 'comfyui'
        ? comfyuiWorker(settings, templatesDir)
        : plainWorker(ModelTemplates.read(templatesDir, 'runpod', () => null));
    return new RunpodProvider(instance, settings, payload, egress);
  },
};
