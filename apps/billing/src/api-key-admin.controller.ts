import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import {
  type AccountListRequest,
  type ApiKeyDetails,
  type CreateKeyRequest,
  type CreatedKey,
  type RevokeKeyRequest,
  billingAdminRpc,
} from '@kinora/contracts/billing/billing-admin.rpc';
import type { PartialList } from '@kinora/contracts/shared/page';
import { CreateKey } from './use-cases/create-key/create-key.use-case';
import { ListKeys } from './use-cases/list-keys/list-keys.query';
import { RevokeKey } from './use-cases/revoke-key/revoke-key.use-case';

/** Serves the operators' requests about API keys. */
@Controller()
export class ApiKeyAdminController {
  constructor(
    private readonly createKeyUseCase: CreateKey,
    private readonly listKeysUseCase: ListKeys,
    private readonly revokeKeyUseCase: RevokeKey,
  ) {}

  @Handles(billingAdminRpc.createKey)
  createKey(request: CreateKeyRequest): Promise<CreatedKey> {
    return this.createKeyUseCase.execute(request);
  }

  @Handles(billingAdminRpc.listKeys)
  listKeys(request: AccountListRequest): Promise<PartialList<ApiKeyDetails>> {
    return this.listKeysUseCase.execute(request);
  }

  @Handles(billingAdminRpc.revokeKey)
  revokeKey(request: RevokeKeyRequest): Promise<ApiKeyDetails> {
    return this.revokeKeyUseCase.execute(request);
  }
}
