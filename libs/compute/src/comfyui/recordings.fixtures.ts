import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { HttpAnswer } from '../http/bounded-exchange';

export const RECORDED_VERSIONS = ['0.3.75', '0.12.1'] as const;
export type RecordedVersion = (typeof RECORDED_VERSIONS)[number];

const FOLDER = path.join(__dirname, '../../../../test/recordings/comfyui');

/** One request and its answer, recorded from a real server of that version. */
export interface Exchange {
  request: { method: string; path: string; body?: Record<string, unknown>; body_raw?: string };
  response: { status: number; body?: unknown; body_text?: string };
}

interface Recording {
  request?: Exchange['request'];
  response?: Exchange['response'];
  exchanges?: Partial<Exchange>[];
  prompt_body?: { prompt?: Record<string, unknown> };
  prompt_id?: string;
  frames?: { dir: string; kind?: string; data?: { type: string; data: unknown } }[];
}

export function readRecording(version: RecordedVersion, name: string): Recording {
  return JSON.parse(readFileSync(path.join(FOLDER, version, `${name}.json`), 'utf8')) as Recording;
}

export function readExchanges(version: RecordedVersion, name: string): Exchange[] {
  const { exchanges, ...single } = readRecording(version, name);
  return (exchanges ?? [single]).filter((one): one is Exchange => one.response !== undefined);
}

/** The last answer of a recording; most recordings have only one. */
export function readAnswer(version: RecordedVersion, name: string): HttpAnswer {
  const { response } = readExchanges(version, name).at(-1) ?? {};
  if (!response) throw new Error(`There is no answer in ${name}`);
  const { status, body, body_text: text = '' } = response;
  return { status, headers: {}, body: Buffer.from(body === undefined ? text : JSON.stringify(body)) };
}
