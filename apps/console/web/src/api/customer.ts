import type { Account, Job, Model } from '@kinora/client';
import { createContext, useContext } from 'react';
import type { components } from './console-api';
import { useGet } from './pages';

type Schemas = components['schemas'];

export type {
  Account,
  AccountStatementList,
  ApiKey,
  Appeal,
  IssuedApiKey,
  Job,
  JobProgress,
  Lora,
  Model,
  Quote,
  Receipt,
  StatementEntry,
  Usage,
  WebhookDelivery as Delivery,
  WebhookDeliveryDetails as DeliveryDetails,
} from '@kinora/client';

/** The session of the customer's half. */
export type CustomerSession = Schemas['CustomerSession'];
/** What a session may do, by its key's scope or its member's role. */
export type CustomerPermission = CustomerSession['permissions'][number];
export type ShownLink = Schemas['ShownLink'];
export type Member = Schemas['Member'];
export type Invitation = Schemas['Invitation'];
export type MemberAccount = Schemas['MemberAccount'];
export type MemberList = Schemas['MemberList'];
export type Payment = Schemas['ShownPayment'];
export type AutoRecharge = Schemas['ShownAutoRecharge'];
export type TopUpOffer = Schemas['TopUpOffer'];
export type Checkout = Schemas['Checkout'];
export type SavedCard = Schemas['Card'];
export type BillingDetails = Schemas['BillingDetails'];
export type MonthStatement = Schemas['MonthStatement'];
export type BalanceAlert = Schemas['BalanceAlert'];
export type Rehearsal = Schemas['Rehearsal'];
export type KeySpend = Schemas['KeySpend'];
export type KeySpendList = Schemas['KeySpendList'];
export type LoggedRequest = Schemas['LoggedRequest'];
export type UsageDetails = Schemas['UsageDetails'];
export type OwnSession = Schemas['OwnSession'];

export const CUSTOMER_SESSION = '/admin/v1/session';
/** Links of e-mails. */
export const LINKS = '/admin/v1/links';
/** The paths below it are those of the API below /v1. */
export const API = '/admin/v1/customer';

/** The session of the pages behind the sign-in. */
export const SessionContext = createContext<CustomerSession | null>(null);

/** The page of the API reference, or of one error code on it. */
export const referenceUrl = (apiBaseUrl: string, code?: string) =>
  new URL('docs', apiBaseUrl).href + (code === undefined ? '' : `#error-${code.replaceAll('_', '-')}`);

/** Whether the session may do it. The console and the gateway decide; the pages leave out what they would refuse. */
export const useMay = (permission: CustomerPermission) =>
  useContext(SessionContext)?.permissions.includes(permission) ?? false;

export const useAccount = () =>
  useGet<Account>(['account'], `${API}/account`, {
    refetchInterval: 30_000,
  });

export const useModels = () =>
  useGet<{ data: Model[] }, Model[]>(['models'], `${API}/models`, {
    staleTime: 5 * 60_000,
    select: ({ data }) => data,
  });

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The page of a job; null where the text is no id of one. */
export const jobLink = (id: string) => (UUID.test(id.trim()) ? `/jobs/${id.trim().toLowerCase()}` : null);

/** Media of a job through the console, so that no signed link stands in a page. */
export const mediaUrl = (jobId: string, index: number, width?: number) =>
  `/media/${jobId}/${index}${width === undefined ? '' : `?w=${width}`}`;

export const IN_FLIGHT: readonly Job['status'][] = ['queued', 'processing'];
export const isInFlight = ({ status }: Pick<Job, 'status'>) => IN_FLIGHT.includes(status);

export const imagesOf = (job: Job) => (job.output && 'images' in job.output ? job.output.images : []);
export const videoOf = (job: Job) => (job.output && 'video' in job.output ? job.output.video : null);

export function promptOf({ input }: Job): string {
  return typeof input.prompt === 'string' ? input.prompt : '';
}
