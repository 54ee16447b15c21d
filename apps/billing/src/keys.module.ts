import { Module } from '@nestjs/common';
import { KeySpendRepository } from './api-key/key-spend.repository';
import { LastUseRecorder } from './api-key/last-use-recorder';
import { AdmissionRepository } from './rate-limit/admission.repository';
import { StorageModule } from './storage.module';
import { Admit, ReturnLease } from './use-cases/admit.use-case';
import { CreateAccountKey } from './use-cases/create-account-key.use-case';
import { CreateKey } from './use-cases/create-key.use-case';
import { FindInvalidKeys } from './use-cases/find-invalid-keys.query';
import { ListAccountKeys, ListKeySpend } from './use-cases/list-account-keys.query';
import { CreatePortalLink, RedeemPortalLink, RevokePortalKey } from './use-cases/portal-session.use-case';
import { RevokeAccountKey, RevokeKey, RotateAccountKey } from './use-cases/revoke-key.use-case';

const ADMISSION = [Admit, ReturnLease, FindInvalidKeys];
const OPERATORS = [CreateKey, RevokeKey, CreatePortalLink];
const SELF_SERVICE = [ListAccountKeys, CreateAccountKey, RevokeAccountKey, RotateAccountKey, ListKeySpend];
const PORTAL = [RedeemPortalLink, RevokePortalKey];

/** API keys: their admission with rate limits, and their changes by operators, by keys and by sessions of the console. */
@Module({
  imports: [StorageModule],
  providers: [
    ...ADMISSION,
    ...OPERATORS,
    ...SELF_SERVICE,
    ...PORTAL,
    AdmissionRepository,
    KeySpendRepository,
    LastUseRecorder,
  ],
  exports: [...ADMISSION, ...OPERATORS, ...SELF_SERVICE, ...PORTAL],
})
export class KeysModule {}
