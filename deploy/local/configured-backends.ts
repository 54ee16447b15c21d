import path from 'node:path';
import { OperatorDocument } from '@kinora/service-kit/without-nest';

/** An instance of a compute provider, as `providers.yaml` names it. */
export interface ConfiguredBackend {
  id: string;
  type: string;
}

/** Errors in the file are not handled here: they have already stopped the jobs service at its start. */
export function readConfiguredBackends(configDir: string): ConfiguredBackend[] {
  const { providers } = (OperatorDocument.open(path.join(configDir, 'providers.yaml'))?.plain ?? {}) as {
    providers?: ConfiguredBackend[];
  };
  return (providers ?? []).map(({ id, type }) => ({ id, type }));
}
