import path from 'node:path';
import { OperatorDocument } from '@kinora/service-kit';

/** Built in, unless an operator's instance has the same id. */
const SANDBOX = 'sandbox';

/**
 * The ids of the provider instances that routes may name, read from the operator's `providers.yaml`. The jobs service
 * validates the rest of that file.
 */
export function readProviderIds(configDir: string): Set<string> {
  const document = configDir === '' ? null : OperatorDocument.open(path.join(configDir, 'providers.yaml'));
  const { providers } = (document?.plain ?? {}) as { providers?: unknown };
  const entries: unknown[] = Array.isArray(providers) ? providers : [];
  return new Set([SANDBOX, ...entries.map((entry) => String((entry as { id?: unknown } | null)?.id))]);
}
