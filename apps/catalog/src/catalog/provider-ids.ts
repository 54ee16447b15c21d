import path from 'node:path';
import { OperatorDocument } from '@kinora/service-kit';

/** Built in, unless an operator's instance of this id takes its place. */
const SANDBOX = 'sandbox';

/**
 * The instances that routes can lead to, as the operator's `providers.yaml` names them. What else that file says, and
 * whether it is right, is the business of those who run jobs.
 */
export function readProviderIds(configDir: string): Set<string> {
  const document = configDir === '' ? null : OperatorDocument.open(path.join(configDir, 'providers.yaml'));
  const { providers } = (document?.plain ?? {}) as { providers?: unknown };
  const entries: unknown[] = Array.isArray(providers) ? providers : [];
  return new Set([SANDBOX, ...entries.map((entry) => String((entry as { id?: unknown } | null)?.id))]);
}
