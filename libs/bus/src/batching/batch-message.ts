import { isRecord } from '@kinora/contracts/shared/texts';
import { type CallContext, deadlineIn } from '../call-context';
import { decode } from '../envelope';
import type { OutgoingRequest } from './pending-request';

/** Subject of a contract's batches. The permissions of the broker's users name it too. */
export function batchSubject(subject: string): string {
  return `${subject}.set`;
}

/** Well below the payload limit of any broker here, so that the broker never refuses a batch for its size. */
export const MAX_BATCH_BYTES = 512 * 1024;

/** A request of a batch on the wire, with the fields that a single request carries in its headers. */
interface BatchItem {
  request: unknown;
  timeout_ms: number;
  request_id?: string;
  account_id?: string;
  traceparent?: string;
}

export interface ReceivedItem {
  request: unknown;
  call: CallContext;
  traceparent: string | undefined;
}

/** Encodes one request of a batch. `requestJson` is JSON already and is not encoded a second time. */
export function toBatchItem({ requestJson, call, traceparent }: OutgoingRequest, timeoutMs: number): string {
  const id = call ? `,"request_id":${JSON.stringify(call.requestId)}` : '';
  const account = call?.accountId === undefined ? '' : `,"account_id":${JSON.stringify(call.accountId)}`;
  const trace = traceparent === undefined ? '' : `,"traceparent":"${traceparent}"`;
  return `{"request":${requestJson},"timeout_ms":${Math.ceil(timeoutMs)}${id}${account}${trace}}`;
}

export function toBatchMessage(items: string[]): string {
  return `[${items.join(',')}]`;
}

/** The requests of a batch in their order; undefined if the bytes are no batch. */
export function readBatch(data: Uint8Array): unknown[] | undefined {
  const items = decode(data);
  return Array.isArray(items) ? items : undefined;
}

/** One request of a batch with its call context; undefined if the value is no such request. */
export function readBatchItem(item: unknown, defaultTimeoutMs: number, ageMs = 0): ReceivedItem | undefined {
  if (!isBatchItem(item)) return undefined;
  const timeoutMs = item.timeout_ms > 0 ? Math.min(item.timeout_ms, defaultTimeoutMs) : defaultTimeoutMs;
  const call = {
    requestId: item.request_id ?? 'req_internal',
    deadlineAtMs: deadlineIn(timeoutMs - ageMs),
    ...(item.account_id === undefined ? {} : { accountId: item.account_id }),
  };
  return { request: item.request, call, traceparent: item.traceparent };
}

/** Each answer carries the index of its request, so answers can leave in any order and in several messages. */
export function toAnswersMessage(answers: [index: number, replyJson: string][]): string {
  return `[${answers.map(([index, replyJson]) => `[${index},${replyJson}]`).join(',')}]`;
}

/** Undefined if the message holds no answers. */
export function readAnswers(data: Uint8Array): [index: number, reply: unknown][] | undefined {
  const answers = decode(data);
  return Array.isArray(answers) && answers.every(isAnswer) ? answers : undefined;
}

function isBatchItem(value: unknown): value is BatchItem {
  return (
    isRecord(value) &&
    'request' in value &&
    typeof value['timeout_ms'] === 'number' &&
    isTextOrAbsent(value['request_id']) &&
    isTextOrAbsent(value['account_id']) &&
    isTextOrAbsent(value['traceparent'])
  );
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isAnswer(value: unknown): value is [number, unknown] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'number';
}
