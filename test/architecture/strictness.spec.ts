import { compileSnippets } from '../support/compile-snippets';

const STRICTNESS = [
  {
    carelessness: 'a list that may be empty',
    refused: `export const first = (names: string[]): string => names[0];`,
    allowed: `export const first = (names: string[]): string | undefined => names[0];`,
  },
  {
    carelessness: 'an optional field that is present but undefined',
    refused: `export const job: { error?: string } = { error: undefined };`,
    allowed: `export const job: { error?: string } = {};`,
  },
  {
    carelessness: 'a path that returns nothing',
    refused: `export function rank(known: boolean) { if (known) return 1; }`,
    allowed: `export function rank(known: boolean) { return known ? 1 : 0; }`,
  },
  {
    carelessness: 'a case that falls through to the next',
    refused: `export function act(rank: number): void { switch (rank) { case 1: String(rank); case 2: String(2); } }`,
    allowed: `export function act(rank: number): void { switch (rank) { case 1: String(rank); break; case 2: String(2); } }`,
  },
  {
    carelessness: 'a type that is imported as a value, and loaded for nothing',
    refused: `import { Type } from '@nestjs/common'; export type Thing = Type;`,
    allowed: `import type { Type } from '@nestjs/common'; export type Thing = Type;`,
  },
  {
    carelessness: 'an unused variable',
    refused: `export function act(): void { const unused = 1; }`,
    allowed: `export function act(): number { const used = 1; return used; }`,
  },
  {
    carelessness: 'a method that overrides another without the keyword',
    refused: `class A { act(): void {} } export class B extends A { act(): void {} }`,
    allowed: `class A { act(): void {} } export class B extends A { override act(): void {} }`,
  },
];

describe('the compiler', () => {
  let diagnostics: string[][];

  beforeAll(() => {
    diagnostics = compileSnippets(STRICTNESS.flatMap(({ refused, allowed }) => [refused, allowed]));
  });

  it.each(STRICTNESS.map((snippet, index) => ({ ...snippet, index })))('refuses $carelessness', ({ index }) => {
    expect(diagnostics[2 * index]).toHaveLength(1);
    expect(diagnostics[2 * index + 1]).toEqual([]);
  });
});
