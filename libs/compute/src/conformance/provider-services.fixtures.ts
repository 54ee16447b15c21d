import { Egress, EgressAllowList } from '@kinora/egress';
import { createTestLog } from '@kinora/testing';
import type { ProviderServices } from '../provider-type';

/** The services that the process gives adapters, with egress that may reach the fakes on this machine. */
export function providerServices(templatesDir: string | null = null): ProviderServices {
  const egress = new Egress({ allow: EgressAllowList.parse('127.0.0.0/8') });
  return { egress, logger: createTestLog().logger, templatesDir };
}
