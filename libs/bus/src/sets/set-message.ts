import { isRecord } from '@kinora/contracts/shared/is-record';
import { type CallContext, deadlineIn } from '../call-context';
import { decode } from '../envelope';
import type { Ask } from './waiting-request';

/** Where a contract's sets are sent. Only who serves sets listens there; everybody listens to the contract's subject. */
export function setSubject(subject: string): string {
  return `${subject}.set`;
}

/** Well below what any broker here carries, so that a set is never refused for being one. */
export const MAX_SET_BYTES = 512 * 1024;

/** A request of a set as it travels: with what a lone one carries in its headers. */
interface SetItem {
  request: unknown;
  timeout_ms: number;
  request_id?: string;
  account_id?: string;
  traceparent?: string;
}

/** A request of a set as it arrived. */
export interface ReceivedItem {
  request: unknown;
  call: CallContext;
  traceparent: string | undefined;
}

/** The part of a set that belongs to one request; `requestJson` has been written already and is not written twice. */
export function toSetItem({ requestJson, call, traceparent }: Ask, timeoutMs: number): string {
  const id = call ? `,"request_id":${JSON.stringify(call.requestId)}` : '';
  const account = call?.accountId === undefined ? '' : `,"account_id":${JSON.stringify(call.accountId)}`;
  const trace = traceparent === undefined ? '' : `,"traceparent":"${traceparent}"`;
  return `{"request":${requestJson},"timeout_ms":${Math.ceil(timeoutMs)}${id}${account}${trace}}`;
}

export function toSetMessage(items: string[]): string {
  return `[${items.join(',')}]`;
}

/** The requests of a set in their order; undefined for bytes that are no set at all. */
export function readSet(data: Uint8Array): unknown[] | undefined {
  const items = decode(data);
  return Array.isArray(items) ? items : undefined;
}

/** One request of a set and the call that it belongs to; undefined where it is none. */
export function readSetItem(item: unknown, defaultTimeoutMs: number): ReceivedItem | undefined {
  if (!isSetItem(item)) return undefined;
  const timeoutMs = item.timeout_ms > 0 ? Math.min(item.timeout_ms, defaultTimeoutMs) : defaultTimeoutMs;
  const call = {
    requestId: item.request_id ?? 'req_internal',
    deadlineAtMs: deadlineIn(timeoutMs),
    ...(item.account_id === undefined ? {} : { accountId: item.account_id }),
  };
  return { request: item.request, call, traceparent: item.traceparent };
}

/** Answers name the place of their request in the set: those that are ready travel, the others follow. */
export function toAnswersMessage(answers: [place: number, replyJson: string][]): string {
  return `[${answers.map(([place, replyJson]) => `[${place},${replyJson}]`).join(',')}]`;
}

/** Undefined for what is no message of answers. */
export function readAnswers(data: Uint8Array): [place: number, reply: unknown][] | undefined {
  const answers = decode(data);
  return Array.isArray(answers) && answers.every(isAnswer) ? answers : undefined;
}

function isSetItem(value: unknown): value is SetItem {
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
