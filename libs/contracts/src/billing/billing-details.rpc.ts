import { rpc } from '../shared/contract';
import type { PresentedKeyRequest } from './portal.rpc';

/** Who the customer is on statements and receipts. */
export interface BillingDetails {
  name: string;
  /** In lines. */
  address: string;
  /** Such as a VAT number. */
  tax_id: string | null;
}

/** The billing details of the account whose key the request proves; null where none were given. */
export const billingDetailsRpc = {
  show: rpc<PresentedKeyRequest, { billing_details: BillingDetails | null }>('billing.v1.show_own_billing_details', {
    errors: ['invalid_api_key', 'scope_required'],
  }),
  set: rpc<PresentedKeyRequest & BillingDetails, { billing_details: BillingDetails }>(
    'billing.v1.set_own_billing_details',
    { errors: ['invalid_api_key', 'scope_required', 'invalid_body'] },
  ),
} as const;
