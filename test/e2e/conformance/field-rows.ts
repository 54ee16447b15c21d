import type { Job } from '@kinora/contracts/jobs/job';
import type { Answer, ErrorBody } from '../../support/api-client';
import { expectEnvelope, expectJob } from './resources';
import type { TestBed } from './test-bed';

export interface FieldRow {
  field: string;
  what: string;
  /** Undefined leaves the field out. */
  value: unknown;
  /** The param of the error; without one, the value is accepted. */
  refusedAs?: string;
  /** Further fields that the body needs for this value to be meaningful. */
  beside?: Record<string, unknown>;
}

export interface Operation {
  path: string;
  /** A valid body whose job stays in flight. */
  body: () => Record<string, unknown>;
}

const VALUES = {
  'a number': 1,
  'a boolean': true,
  'a text': '1',
  'a list': [],
  'an object': {},
} as const;

export function accepts(field: string, what: string, value: unknown): FieldRow {
  return { field, what, value };
}

export function refuses(field: string, what: string, value: unknown, refusedAs: string = field): FieldRow {
  return { field, what, value, refusedAs };
}

/** The same row within a larger body. */
export function within(beside: Record<string, unknown>, rows: FieldRow[]): FieldRow[] {
  return rows.map((row) => ({ ...row, beside }));
}

/** Every JSON type except the field's own, and null, which leaves an optional field out. */
export function refusesOtherTypes(field: string, type: keyof typeof VALUES): FieldRow[] {
  return Object.entries(VALUES)
    .filter(([name]) => name !== type)
    .map(([name, value]) => refuses(field, name, value));
}

/** Text that can neither be stored nor sent on. */
export function refusesUnstorable(field: string): FieldRow[] {
  return [
    refuses(field, 'U+0000', 'a\0b'),
    refuses(field, 'a lone high surrogate', 'a\ud800'),
    refuses(field, 'a lone low surrogate', '\udc00a'),
  ];
}

export function acceptsEach(field: string, values: readonly unknown[]): FieldRow[] {
  return values.map((value) => accepts(field, JSON.stringify(value), value));
}

export function refusesEach(field: string, values: readonly unknown[]): FieldRow[] {
  return values.map((value) => refuses(field, JSON.stringify(value), value));
}

export function describeFields(testBed: TestBed, { path, body }: Operation, rows: FieldRow[]): void {
  const post = ({ field, value, beside }: FieldRow): Promise<Answer<unknown>> =>
    testBed.client.post(path, { ...body(), ...beside, [field]: value });

  it.each(rows.filter(({ refusedAs }) => refusedAs === undefined))('$field: $what is accepted', async (row) => {
    const answer = (await post(row)) as Answer<Job>;
    expect([answer.status, answer.body]).toEqual([202, expect.anything()]);
    expectJob(answer.body);
    expectEcho(answer.body, row);
    await testBed.client.post(`/jobs/${answer.body.id}/cancel`);
  });

  it.each(rows.filter(({ refusedAs }) => refusedAs !== undefined))('$field: $what is refused', async (row) => {
    const answer = (await post(row)) as Answer<ErrorBody>;
    expectEnvelope(answer, { status: 400, code: 'invalid_body', param: row.refusedAs as string });
  });
}

/** The fields that the client sent, unchanged, without `webhook_url` (decisions: Echo of the input). */
function expectEcho({ input, metadata }: Job, { field, value }: FieldRow): void {
  expect(input).not.toHaveProperty('webhook_url');
  // Compared as text, because a matcher of jest ignores the key `__proto__`.
  if (field === 'metadata') expect(JSON.stringify(metadata)).toBe(JSON.stringify(value));
  else if (field !== 'webhook_url') expect(input).toEqual(expect.objectContaining({ [field]: value }));
}
