import { Controller } from '@nestjs/common';
import {
  type AccountListRequest,
  type ApiKeyDetails,
  billingAdminRpc,
  type CreatedKey,
  type CreateKeyRequest,
  type RevokeKeyRequest,
} from '@kinora/contracts/billing/billing-admin.rpc';
import {
  type Admission,
  type AdmitRequest,
  billingRpc,
  type FindInvalidKeysRequest,
  type ReturnLeaseRequest,
} from '@kinora/contracts/billing/billing.rpc';
import {
  type CreatedPortalLink,
  type CreatePortalLinkRequest,
  type PortalKey,
  portalLinkRpc,
  portalRpc,
  type PresentedKey,
  type PresentedKeyRequest,
  type RedeemPortalLinkRequest,
} from '@kinora/contracts/billing/portal.rpc';
import type { PartialList } from '@kinora/contracts/shared/page';
import { Handles } from '@kinora/bus';
import { KeyProof } from './api-key/key-proof';
import { Admit, ReturnLease } from './use-cases/admit.use-case';
import { CreateKey } from './use-cases/create-key.use-case';
import { FindInvalidKeys } from './use-cases/find-invalid-keys.query';
import { ListRecords } from './use-cases/list-records.query';
import { CreatePortalLink, RedeemPortalLink, RevokePortalKey } from './use-cases/portal-session.use-case';
import { RevokeKey } from './use-cases/revoke-key.use-case';

/** Serves the operators' requests about API keys. */
@Controller()
export class ApiKeyAdminController {
  constructor(
    private readonly createKeyUseCase: CreateKey,
    private readonly records: ListRecords,
    private readonly revokeKeyUseCase: RevokeKey,
  ) {}

  @Handles(billingAdminRpc.createKey)
  createKey(request: CreateKeyRequest): Promise<CreatedKey> {
    return this.createKeyUseCase.execute(request);
  }

  @Handles(billingAdminRpc.listKeys)
  listKeys(request: AccountListRequest): Promise<PartialList<ApiKeyDetails>> {
    return this.records.listKeys(request);
  }

  @Handles(billingAdminRpc.revokeKey)
  revokeKey(request: RevokeKeyRequest): Promise<ApiKeyDetails> {
    return this.revokeKeyUseCase.execute(request);
  }
}

/** Serves the gateways' requests about keys and their rates. */
@Controller()
export class AdmissionController {
  constructor(
    private readonly admitUseCase: Admit,
    private readonly findInvalidKeysQuery: FindInvalidKeys,
    private readonly returnLeaseUseCase: ReturnLease,
  ) {}

  @Handles(billingRpc.admit)
  admit(request: AdmitRequest): Promise<Admission> {
    return this.admitUseCase.execute(request);
  }

  @Handles(billingRpc.findInvalidKeys)
  findInvalidKeys(request: FindInvalidKeysRequest): Promise<{ key_sha256s: string[] }> {
    return this.findInvalidKeysQuery.execute(request);
  }

  @Handles(billingRpc.returnLease)
  returnLease(request: ReturnLeaseRequest): Promise<Record<string, never>> {
    return this.returnLeaseUseCase.execute(request);
  }
}

/** Serves the console's requests about the keys and links of its sessions. */
@Controller()
export class PortalController {
  constructor(
    private readonly proof: KeyProof,
    private readonly createPortalLinkUseCase: CreatePortalLink,
    private readonly redeemPortalLinkUseCase: RedeemPortalLink,
    private readonly revokePortalKeyUseCase: RevokePortalKey,
  ) {}

  @Handles(portalRpc.describeKey)
  describeKey(request: PresentedKeyRequest): Promise<PresentedKey> {
    return this.proof.getKey(request);
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
