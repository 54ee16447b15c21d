import { Injectable } from '@nestjs/common';
import type { BillingDetails } from '@kinora/contracts/billing/billing-details.rpc';
import type { Card } from '@kinora/contracts/billing/cards.rpc';
import { formatUsd, type Micros } from '@kinora/contracts/shared/money';
import type { Queryable } from '@kinora/database';
import { BillingDetailsRepository } from '../account/billing-details.repository';
import { Emails } from '../email/emails';
import { UserRepository } from './user.repository';

interface ReceivedPayment {
  id: string;
  amount_micros: Micros;
}

interface MoneyEmail {
  kind: string;
  subject: string;
  paragraphs: readonly string[];
}

/** Queues e-mail to the members whose role includes the money of the account. */
@Injectable()
export class MoneyEmails {
  constructor(
    private readonly users: UserRepository,
    private readonly details: BillingDetailsRepository,
    private readonly emails: Emails,
  ) {}

  /** With the billing details of the customer. */
  async queueReceipt(transaction: Queryable, accountId: string, payment: ReceivedPayment): Promise<void> {
    await this.queue(transaction, accountId, receiptEmail(payment, await this.details.find(accountId, transaction)));
  }

  async queue(transaction: Queryable, account_id: string, { kind, ...texts }: MoneyEmail): Promise<void> {
    if (this.emails.transport === null) return;
    const link = { label: 'Open the Money page', url: this.emails.linkTo('/money') };
    const reason = 'You get this because your role in the account includes its money.';
    for (const { email, role } of await this.users.listMembers(transaction, account_id))
      if (role === 'owner' || role === 'billing')
        await this.emails.queue(transaction, {
          ...{ kind, recipient: email, account_id },
          content: { ...texts, link, reason },
        });
  }
}

export function lowBalanceEmail(thresholdMicros: Micros): MoneyEmail {
  return {
    kind: 'low_balance',
    subject: 'Your balance is low',
    paragraphs: [
      `Less than ${formatUsd(thresholdMicros)} is left. New jobs are refused when the balance does not cover them.`,
    ],
  };
}

export function rechargeStoppedEmail(reason: string): MoneyEmail {
  return {
    kind: 'auto_recharge_stopped',
    subject: 'Auto-recharge is off',
    paragraphs: [
      `Auto-recharge is off: ${reason}.`,
      'Top up, or switch it on again with another card. New jobs are refused when the balance does not cover them.',
    ],
  };
}

export function cardExpiresEmail({ brand, last4, exp_month, exp_year }: Card): MoneyEmail {
  return {
    kind: 'card_expires',
    subject: 'A saved card expires soon',
    paragraphs: [
      `The card ${brand} ending in ${last4} expires with ${String(exp_month).padStart(2, '0')}/${exp_year}.`,
      'If auto-recharge uses it, save another card with your next top-up, and choose that one.',
    ],
  };
}

function receiptEmail({ id, amount_micros }: ReceivedPayment, customer: BillingDetails | null): MoneyEmail {
  const { name, address, tax_id } = customer ?? {};
  return {
    kind: 'receipt',
    subject: 'Receipt of your payment',
    paragraphs: [
      `We received ${formatUsd(amount_micros)} on ${new Date().toISOString().slice(0, 10)}. Thank you.`,
      `Payment ${id}`,
      ...[name, address, tax_id && `Tax id ${tax_id}`].filter((line) => typeof line === 'string'),
    ],
  };
}
