import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import type { ApiKeyList, IssuedApiKey } from '@kinora/contracts/billing/account-key';
import type { AccountStatementList } from '@kinora/contracts/billing/account-statement';
import { type KeySpendList, type KeySpendRequest, keySpendRpc } from '@kinora/contracts/billing/key-spend.rpc';
import {
  type CallerListRequest,
  type CreateAccountKeyRequest,
  type IssuedWebhookSecret,
  type RotateAccountKeyRequest,
  type RotateAccountWebhookSecretRequest,
  type TargetKeyRequest,
  selfServiceRpc,
} from '@kinora/contracts/billing/self-service.rpc';
import { CreateAccountKey } from './use-cases/create-account-key/create-account-key.use-case';
import { ListAccountKeys } from './use-cases/list-account-keys/list-account-keys.query';
import { ListAccountStatement } from './use-cases/list-account-statement/list-account-statement.query';
import { ListKeySpend } from './use-cases/list-key-spend/list-key-spend.query';
import { RevokeAccountKey } from './use-cases/revoke-account-key/revoke-account-key.use-case';
import { RotateAccountKey } from './use-cases/rotate-account-key/rotate-account-key.use-case';
import { RotateAccountWebhookSecret } from './use-cases/rotate-account-webhook-secret/rotate-account-webhook-secret.use-case';

/** Serves the requests of accounts about themselves. */
@Controller()
export class SelfServiceController {
  constructor(
    private readonly listAccountKeys: ListAccountKeys,
    private readonly createAccountKey: CreateAccountKey,
    private readonly revokeAccountKey: RevokeAccountKey,
    private readonly rotateAccountKey: RotateAccountKey,
    private readonly listAccountStatement: ListAccountStatement,
    private readonly listKeySpend: ListKeySpend,
    private readonly rotateAccountWebhookSecret: RotateAccountWebhookSecret,
  ) {}

  @Handles(selfServiceRpc.listKeys)
  listKeys(request: CallerListRequest): Promise<ApiKeyList> {
    return this.listAccountKeys.execute(request);
  }

  @Handles(selfServiceRpc.createKey)
  createKey(request: CreateAccountKeyRequest): Promise<IssuedApiKey> {
    return this.createAccountKey.execute(request);
  }

  @Handles(selfServiceRpc.revokeKey)
  revokeKey(request: TargetKeyRequest): Promise<Record<string, never>> {
    return this.revokeAccountKey.execute(request);
  }

  @Handles(selfServiceRpc.rotateKey)
  rotateKey(request: RotateAccountKeyRequest): Promise<IssuedApiKey> {
    return this.rotateAccountKey.execute(request);
  }

  @Handles(selfServiceRpc.listStatement)
  listStatement(request: CallerListRequest): Promise<AccountStatementList> {
    return this.listAccountStatement.execute(request);
  }

  @Handles(keySpendRpc.listSpend)
  listSpend(request: KeySpendRequest): Promise<KeySpendList> {
    return this.listKeySpend.execute(request);
  }

  @Handles(selfServiceRpc.rotateWebhookSecret)
  rotateWebhookSecret(request: RotateAccountWebhookSecretRequest): Promise<IssuedWebhookSecret> {
    return this.rotateAccountWebhookSecret.execute(request);
  }
}
