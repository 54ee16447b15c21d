import { ACCOUNT_STATUSES } from '@kinora/contracts/billing/account';
import { accountListRpc, type ListAccountsRequest } from '@kinora/contracts/billing/account-list.rpc';
import { KEY_SCOPES } from '@kinora/contracts/billing/api-key-format';
import { catalogAdminRpc } from '@kinora/contracts/catalog/catalog.rpc';
import {
  type AdjustBalanceRequest,
  billingAdminRpc,
  type ToppedUpAccount,
} from '@kinora/contracts/billing/billing-admin.rpc';
import { reversalRpc } from '@kinora/contracts/billing/reversal.rpc';
import { portalLinkRpc } from '@kinora/contracts/billing/portal.rpc';
import type { RpcContract } from '@kinora/contracts/shared/contract';
import { ApiError } from '@kinora/contracts/shared/errors';
import { toUsd } from '@kinora/contracts/shared/money';
import type { ConsoleConfig } from '../../console.config';
import { checkEntryCursor, page, PAGE, REQUESTS } from '../../http/query-fields';
import { BY_REASON, INTEGER, oneOf, optional, REASON, REFERENCE, text, UUID } from '../../http/fields';
import { controllerOf, get, type OperatorRoute, patch, post } from './operator-route';

/** Accounts, and what a customer sees of one: read only. */
export const AccountsController = controllerOf('AccountsController', {
  list: get(
    'accounts',
    { summary: 'List accounts', needs: 'view', query: ['search', 'status', ...PAGE] },
    ({ bus, query }) => page(bus.request(accountListRpc.listAccounts, query as ListAccountsRequest)),
  ),
  /** For the links of a page, which show names instead of ids. */
  nameAccounts: get(
    'account-names',
    { summary: 'Find the names of accounts by their ids', needs: 'view', query: ['ids'] },
    ({ bus, rawQuery: { ids } }) =>
      bus.request(accountListRpc.nameAccounts, { account_ids: typeof ids === 'string' ? ids.split(',') : [] }),
  ),
  show: get('accounts/:id', { summary: 'Show an account', needs: 'view' }, ({ bus, params: { id: account_id } }) =>
    bus.request(billingAdminRpc.showAccount, { account_id }),
  ),
  listHistory: get(
    'accounts/:id/history',
    { summary: 'List the changes of an account', needs: 'view', query: ['cursor'] },
    ({ bus, params: { id: account_id }, query }) =>
      page(bus.request(billingAdminRpc.listActions, { account_id, ...query })),
  ),
  listKeys: get(
    'accounts/:id/keys',
    { summary: 'List the keys of an account', needs: 'view', query: ['cursor'] },
    ({ bus, params: { id: account_id }, query }) =>
      page(bus.request(billingAdminRpc.listKeys, { account_id, ...query })),
  ),
  listPayments: get(
    'accounts/:id/payments',
    { summary: 'List the payments of an account', needs: 'view', query: ['cursor'] },
    ({ bus, params: { id: account_id }, query }) =>
      page(bus.request(billingAdminRpc.listPayments, { account_id, ...query })),
  ),
  /** Newest first, as every list of the console. The cursor is the id of the last line. */
  showStatement: get(
    'accounts/:id/statement',
    { summary: 'List the ledger entries of an account', needs: 'view', query: PAGE },
    async ({ bus, params: { id: account_id }, query: { cursor, ...limit } }) => {
      checkEntryCursor(cursor);
      const place = { ...limit, ...(cursor !== undefined && { before_entry_id: cursor }) };
      const statement = await bus.request(billingAdminRpc.getStatement, { account_id, ...place });
      const next_cursor = statement.next_before_entry_id;
      return page({ data: statement.data.toReversed(), has_more: next_cursor !== null, next_cursor });
    },
  ),
  showRequests: get(
    'accounts/:id/requests',
    { summary: 'List the requests of an account', needs: 'view', query: REQUESTS },
    ({ listRequests, params, rawQuery }) => listRequests.execute(rawQuery, params.id),
  ),
});

const LIMITS = {
  rate_limit_rpm: optional(INTEGER),
  max_concurrent_jobs: optional(INTEGER),
  retention_days: optional(INTEGER),
};

/** The key and the secret are shown once: only a hash of the key is stored. */
export interface OpenedAccount {
  account_id: string;
  api_key: string;
  webhook_secret: string;
}

/** Asks for a large amount twice. @throws ApiError invalid_body */
function assertRepeated(config: ConsoleConfig, amount_micros: number, repeated: number | undefined): void {
  const limit = config.repeatAmountsAboveMicros;
  if (Math.abs(amount_micros) <= limit || repeated === amount_micros) return;
  const message = `Amounts above $${toUsd(limit)} are written twice, and the two must be equal.`;
  throw new ApiError('invalid_body', message, { param: 'repeated_amount_micros' });
}

/** What operators change about an account. Billing decides; every action has a reason and stands in the audit trail. */
export const AccountActionsController = controllerOf('AccountActionsController', {
  /** The page makes the id, so a form whose answer was lost makes neither a second account nor a second credit. */
  create: post(
    'accounts',
    {
      summary: 'Create an account with its first key, an opening credit and limits',
      needs: 'create_accounts',
      isConfirmed: true,
      body: {
        ...{ account_id: UUID, name: text(100), key_scope: oneOf(KEY_SCOPES), credit_micros: INTEGER },
        ...{ repeated_amount_micros: optional(INTEGER), ...LIMITS, reason: REASON },
      },
    },
    async ({ audit, bus, by, config, body }): Promise<OpenedAccount> => {
      const { reason, repeated_amount_micros, ...asked } = body;
      assertRepeated(config, asked.credit_micros, repeated_amount_micros);
      const { account_id } = asked;
      const { api_key, webhook_secret } = await audit.run(
        by,
        { action: 'create_account', account_id, target: account_id, reason, after: asked },
        () => bus.request(billingAdminRpc.createAccount, { ...asked, reason, actor: by.email }),
      );
      return { account_id, api_key, webhook_secret };
    },
  ),
  createKey: post(
    'accounts/:id/keys',
    {
      summary: 'Create another key of an account',
      needs: 'open_portal',
      isConfirmed: true,
      body: { name: text(100), scope: oneOf(KEY_SCOPES), reason: REASON },
    },
    ({ audit, bus, by, params: { id: account_id }, body: { reason, ...after } }) =>
      audit.run(
        by,
        { action: 'create_key', account_id, target: account_id, reason, after },
        () => bus.request(billingAdminRpc.createKey, { account_id, ...after, reason, actor: by.email }),
        ({ api_key_id, prefix }) => ({ ...after, api_key_id, prefix }),
      ),
  ),
  revokeKey: post(
    'accounts/:id/keys/:key_id/revoke',
    { ...BY_REASON, summary: 'Revoke a key of an account', needs: 'open_portal' },
    ({ audit, bus, by, params: { id: account_id, key_id: api_key_id }, body: { reason } }) =>
      audit.run(
        by,
        { action: 'revoke_key', account_id, target: api_key_id, reason },
        () => bus.request(billingAdminRpc.revokeKey, { account_id, api_key_id, reason, actor: by.email }),
        ({ name, prefix }) => ({ name, prefix }),
      ),
  ),
  topUp: changeMoney('top-ups', 'Add money that was paid', 'top_up', billingAdminRpc.topUp),
  grantCredit: changeMoney('credits', 'Grant a credit', 'grant_credit', billingAdminRpc.grantCredit),
  adjust: changeMoney('adjustments', 'Correct the balance', 'adjust_balance', billingAdminRpc.adjustBalance),
  /** The payment as billing has ended it: as failed, or as the provider said at last. */
  endPayment: post(
    'accounts/:id/payments/:payment_id/end',
    { ...BY_REASON, summary: 'End a payment whose outcome the provider does not tell', needs: 'change_money' },
    ({ audit, bus, by, params: { id: account_id, payment_id }, body: { reason } }) =>
      audit.run(
        by,
        { action: 'end_payment', account_id, target: payment_id, reason },
        () => bus.request(billingAdminRpc.endPayment, { account_id, payment_id, reason, actor: by.email }),
        ({ state, failure }) => ({ state, failure }),
      ),
  ),
  /** The refund has left the balance; the provider may still be asked. */
  refundPayment: post(
    'accounts/:id/payments/:payment_id/refund',
    {
      summary: 'Give a payment back, up to what is unspent',
      needs: 'change_money',
      isConfirmed: true,
      body: { amount_micros: INTEGER, reason: REASON, refund_id: UUID },
    },
    ({ audit, bus, by, params: { id: account_id, payment_id }, body: { amount_micros, reason, refund_id } }) =>
      audit.run(
        by,
        { action: 'refund_payment', account_id, target: payment_id, reason, after: { amount_micros, refund_id } },
        () =>
          bus.request(reversalRpc.refundPayment, {
            ...{ account_id, payment_id, amount_micros, reason, refund_id },
            actor: by.email,
          }),
        ({ refund_id: id, state }) => ({ refund_id: id, amount_micros, state }),
      ),
  ),
  setStatus: patch(
    'accounts/:id/status',
    {
      summary: 'Change the status of an account',
      needs: 'change_status',
      isConfirmed: true,
      body: { status: oneOf(ACCOUNT_STATUSES), reason: REASON },
    },
    async ({ audit, bus, by, params: { id: account_id }, body: { status, reason } }) => {
      const before = await bus.request(billingAdminRpc.showAccount, { account_id });
      const entry = { account_id, target: account_id, reason, before: { status: before.status }, after: { status } };
      return audit.run(by, { action: 'set_status', ...entry }, () =>
        bus.request(billingAdminRpc.setStatus, { account_id, status, reason, actor: by.email }),
      );
    },
  ),
  setLimits: patch(
    'accounts/:id/limits',
    {
      summary: 'Change the limits of an account',
      needs: 'change_limits',
      body: { ...LIMITS, reason: REASON },
    },
    async ({ audit, bus, by, params: { id: account_id }, body: { reason, ...after } }) => {
      const account = await bus.request(billingAdminRpc.showAccount, { account_id });
      const { rate_limit_rpm, max_concurrent_jobs, retention_days } = account;
      const before = { rate_limit_rpm, max_concurrent_jobs, retention_days };
      return audit.run(by, { action: 'set_limits', account_id, target: account_id, reason, before, after }, () =>
        bus.request(billingAdminRpc.setLimits, { account_id, ...after, reason, actor: by.email }),
      );
    },
  ),
  setPriceGroup: patch(
    'accounts/:id/price-group',
    {
      summary: 'Let an account pay the prices of a group, or the price list',
      needs: 'change_money',
      isConfirmed: true,
      body: { price_group: optional(text(64)), reason: REASON },
    },
    async ({ audit, bus, by, params: { id: account_id }, body: { reason, ...of } }) => {
      const account = await bus.request(billingAdminRpc.showAccount, { account_id });
      // Fails for a group that the catalog does not know.
      await bus.request(catalogAdminRpc.listAllModels, of);
      const before = { price_group: account.price_group ?? null };
      const after = { price_group: of.price_group ?? null };
      return audit.run(by, { action: 'set_price_group', account_id, target: account_id, reason, before, after }, () =>
        bus.request(billingAdminRpc.setPriceGroup, { account_id, ...after, reason, actor: by.email }),
      );
    },
  ),
});

function changeMoney(
  name: string,
  summary: string,
  action: string,
  contract: RpcContract<AdjustBalanceRequest, ToppedUpAccount>,
): OperatorRoute<Promise<ToppedUpAccount>> {
  const amounts = { amount_micros: INTEGER, repeated_amount_micros: optional(INTEGER) };
  const body = { ...amounts, reason: REASON, reference: REFERENCE };
  return post(
    `accounts/:id/${name}`,
    { summary, needs: 'change_money', isConfirmed: true, body },
    async ({ audit, bus, by, config, params: { id: account_id }, body: { repeated_amount_micros, ...change } }) => {
      assertRepeated(config, change.amount_micros, repeated_amount_micros);
      const { reason, ...after } = change;
      return audit.run(
        by,
        { action, account_id, target: account_id, reason, after },
        () => bus.request(contract, { account_id, ...change, actor: by.email }),
        ({ balance_micros, entry_id, entry_repeated }) => ({ ...after, balance_micros, entry_id, entry_repeated }),
      );
    },
  );
}

/** A link that signs a browser in to an account of a customer, once. */
export interface PortalLink {
  url: string;
  expires_at: string;
}

/**
 * Links for customers, and for operators who want to see what a customer sees. A link opens the account without its keys, so
 * the route asks for the password, and the audit trail holds who made it and what its session may do, but never its token.
 */
export const PortalLinksController = controllerOf('PortalLinksController', {
  create: post(
    'accounts/:id/portal-links',
    {
      summary: 'Make a link that signs a browser in to an account, once',
      needs: 'open_portal',
      isConfirmed: true,
      body: { scope: oneOf(KEY_SCOPES), ttl_seconds: optional(INTEGER), reason: REASON },
    },
    async ({ audit, bus, by, config, params: { id: account_id }, body }): Promise<PortalLink> => {
      const { scope, reason, ...ttl } = body;
      const after = { capabilities: [scope], ...ttl };
      const { token, expires_at } = await audit.run(
        by,
        { action: 'create_portal_link', account_id, target: account_id, reason, after },
        () => bus.request(portalLinkRpc.createLink, { account_id, ...after, reason, actor: by.email }),
        (link) => ({ scope: link.scope, expires_at: link.expires_at }),
      );
      return { url: `${config.portalOrigin}/portal#token=${token}`, expires_at };
    },
  ),
});
