import type { ApiKey, IssuedApiKey } from '@kinora/contracts/billing/account-key';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import type { CreateAccountKeyBody } from '@kinora/contracts/billing/account-key.body';
import type { CreateKeyRequest } from '@kinora/contracts/billing/billing-admin.rpc';
import type { KeyCaller } from '@kinora/contracts/billing/self-service.rpc';
import { type TestBilling, sha256 } from './billing.fixtures';
import { Admit } from '../src/use-cases/admit.use-case';
import { CreateAccountKey } from '../src/use-cases/create-account-key.use-case';
import { ListAccountKeys } from '../src/use-cases/list-account-keys.query';
import { RevokeAccountKey, RotateAccountKey } from '../src/use-cases/revoke-key.use-case';

/** What a key of the scope `account` can do to the keys of its account. */
export class SelfService {
  constructor(
    private readonly billing: TestBilling,
    readonly caller: KeyCaller,
    /** Empty for a key whose secret the test does not need. */
    readonly api_key = '',
  ) {}

  /** A new account, by its first key, which may administer it. */
  static async open(billing: TestBilling, balance_micros = 1_000_000): Promise<SelfService> {
    const request = { name: 'Ada', key_scope: 'account', balance_micros } as const;
    const { account_id, api_key_id, api_key } = await billing.createAccount(request);
    return new SelfService(billing, { account_id, api_key_id }, api_key);
  }

  /** The same by another key of the account. */
  by(api_key_id: string, api_key = ''): SelfService {
    return new SelfService(this.billing, { ...this.caller, api_key_id }, api_key);
  }

  /** The same by a key that an operator makes, with limits. */
  async restricted(limits: Partial<CreateKeyRequest>): Promise<SelfService> {
    const { account_id } = this.caller;
    const request = { account_id, name: 'restricted', scope: 'account', ...limits } as const;
    const { api_key_id, api_key } = await this.billing.createKey(request);
    return this.by(api_key_id, api_key);
  }

  create(input: Partial<CreateAccountKeyBody> = {}): Promise<IssuedApiKey> {
    return this.billing.get(CreateAccountKey).execute({ ...this.caller, input: { name: 'new', ...input } });
  }

  revoke(target_key_id: string): Promise<unknown> {
    return this.billing.get(RevokeAccountKey).execute({ ...this.caller, target_key_id });
  }

  rotate(target_key_id: string, overlap_seconds = 0): Promise<IssuedApiKey> {
    return this.billing.get(RotateAccountKey).execute({ ...this.caller, target_key_id, overlap_seconds });
  }

  async list(limit = 100): Promise<ApiKey[]> {
    return (await this.billing.get(ListAccountKeys).execute({ ...this.caller, limit })).data;
  }

  async find(id: string): Promise<ApiKey | undefined> {
    return (await this.list()).find((key) => key.id === id);
  }

  /** By which a request proves the key. */
  get key_sha256(): string {
    return sha256(this.api_key);
  }

  admit(secret: string): Promise<Admission> {
    return this.billing.get(Admit).execute({ key_sha256: sha256(secret), tokens: 1 });
  }

  async reserve(api_key_id: string, job_id: string, amount_micros: number): Promise<void> {
    await this.billing.reserve({ account_id: this.caller.account_id, api_key_id, job_id, amount_micros });
  }
}
