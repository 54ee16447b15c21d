import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import { type PresentedKey, type PresentedKeyRequest, portalRpc } from '@kinora/contracts/billing/portal.rpc';
import { GetPresentedKey } from './use-cases/get-presented-key/get-presented-key.query';

/** Serves the console's requests about the keys and links of its sessions. */
@Controller()
export class PortalController {
  constructor(private readonly getPresentedKeyQuery: GetPresentedKey) {}

  @Handles(portalRpc.describeKey)
  describeKey(request: PresentedKeyRequest): Promise<PresentedKey> {
    return this.getPresentedKeyQuery.execute(request);
  }
}
