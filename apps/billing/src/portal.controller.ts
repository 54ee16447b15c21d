import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import {
  type CreatePortalLinkRequest,
  type CreatedPortalLink,
  portalLinkRpc,
} from '@kinora/contracts/billing/portal-link.rpc';
import {
  type PortalKey,
  type PresentedKey,
  type PresentedKeyRequest,
  type RedeemPortalLinkRequest,
  portalRpc,
} from '@kinora/contracts/billing/portal.rpc';
import { CreatePortalLink } from './use-cases/create-portal-link/create-portal-link.use-case';
import { GetPresentedKey } from './use-cases/get-presented-key/get-presented-key.query';
import { RedeemPortalLink } from './use-cases/redeem-portal-link/redeem-portal-link.use-case';
import { RevokePortalKey } from './use-cases/revoke-portal-key/revoke-portal-key.use-case';

/** Serves the console's requests about the keys and links of its sessions. */
@Controller()
export class PortalController {
  constructor(
    private readonly getPresentedKeyQuery: GetPresentedKey,
    private readonly createPortalLinkUseCase: CreatePortalLink,
    private readonly redeemPortalLinkUseCase: RedeemPortalLink,
    private readonly revokePortalKeyUseCase: RevokePortalKey,
  ) {}

  @Handles(portalRpc.describeKey)
  describeKey(request: PresentedKeyRequest): Promise<PresentedKey> {
    return this.getPresentedKeyQuery.execute(request);
  }

  @Handles(portalLinkRpc.createLink)
  createLink(request: CreatePortalLinkRequest): Promise<CreatedPortalLink> {
    return this.createPortalLinkUseCase.execute(request);
  }

  @Handles(portalRpc.redeemLink)
  redeemLink(request: RedeemPortalLinkRequest): Promise<PortalKey> {
    return this.redeemPortalLinkUseCase.execute(request);
  }

  @Handles(portalRpc.revokePortalKey)
  revokePortalKey(request: PresentedKeyRequest): Promise<{ revoked: boolean }> {
    return this.revokePortalKeyUseCase.execute(request);
  }
}
