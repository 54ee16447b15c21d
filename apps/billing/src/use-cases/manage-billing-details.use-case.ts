import { Injectable } from '@nestjs/common';
import type { BillingDetails } from '@kinora/contracts/billing/billing-details.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database } from '@kinora/database';
import { BillingDetailsRepository } from '../account/billing-details.repository';
import { AuditTrail } from '../operator/audit-trail.repository';
import { assertGiven, assertVisibleText } from '../operator/operator-input';

/** Of every country: letters, digits and what groups them. */
const TAX_ID = /^[A-Z0-9][A-Z0-9 ./-]{2,28}[A-Z0-9]$/i;

type Request = BillingDetails & { account_id: string; actor: string };

/** Shows and changes who the customer is on statements and receipts. */
@Injectable()
export class ManageBillingDetails {
  constructor(
    private readonly database: Database,
    private readonly details: BillingDetailsRepository,
    private readonly auditTrail: AuditTrail,
  ) {}

  find(accountId: string): Promise<BillingDetails | null> {
    return this.details.find(accountId);
  }

  /** @throws ApiError invalid_body */
  async set({ account_id, actor, ...request }: Request): Promise<BillingDetails> {
    const { name, address, tax_id } = request;
    assertGiven(request, 'name', 'address', 'tax_id');
    assertVisibleText(request, 'name', { min: 1, max: 200 });
    assertVisibleText(request, 'address', { min: 1, max: 500 });
    if (tax_id !== null && !(typeof tax_id === 'string' && TAX_ID.test(tax_id)))
      throw new ApiError('invalid_body', 'tax_id must be 4 to 30 letters and digits, such as DE123456789, or null.', {
        param: 'tax_id',
      });
    const changed = { name, address, tax_id };
    await this.database.transaction(async (transaction) => {
      await this.details.set(transaction, account_id, changed);
      // The trail is kept for good, so it names the change without the address.
      await this.auditTrail.record(transaction, 'set_billing_details', {
        account_id,
        actor,
        reason: 'changed by the customer',
      });
    });
    return changed;
  }
}
