import type { ProviderType } from '../provider-type';
import { SandboxProvider } from './sandbox.provider';

/** The sandbox has no settings of its own. */
export class SandboxSettings {}

/** The sandbox, and every worker that serves its protocol. */
export const sandboxType: ProviderType<SandboxSettings> = {
  type: 'sandbox',
  settings: SandboxSettings,
  create: (instance, _settings, { egress }) => new SandboxProvider(instance, egress),
};
