import { pickTemplates } from '../comfyui/pick-templates';
import { readLoraFiles } from '../comfyui/read-lora-files';
import { ModelTemplates } from '../hosted-model/model-templates';
import type { ProviderServices, ProviderType } from '../provider-type';
import { comfyuiWorker } from './comfyui-worker';
import { plainWorker } from './plain-worker';
import { RunpodSettings } from './runpod-settings';
import { RunpodProvider } from './runpod.provider';
import type { WorkerPayload } from './worker-payload';

export const runpodType: ProviderType<RunpodSettings> = {
  type: 'runpod',
  settings: RunpodSettings,
  create: (instance, settings, services) =>
    new RunpodProvider(instance, settings, payloadOf(settings, services), services.egress),
};

function payloadOf({ worker, templates, loras }: RunpodSettings, { templatesDir }: ProviderServices): WorkerPayload {
  if (worker === 'comfyui')
    return comfyuiWorker({ templates: pickTemplates(templates, templatesDir), loras: readLoraFiles(loras) });
  return plainWorker(ModelTemplates.read(templatesDir, 'runpod', () => null));
}
