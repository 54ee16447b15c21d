import { ModelTemplates } from '../hosted-model/model-templates';
import type { ProviderServices, ProviderType } from '../provider-type';
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

function payloadOf(_settings: RunpodSettings, { templatesDir }: ProviderServices): WorkerPayload {
  return plainWorker(ModelTemplates.read(templatesDir, 'runpod', () => null));
}
