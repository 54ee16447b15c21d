import type { ModerationFile } from '../judging/moderation-file';
import type { LexiconTerm, TermKind } from './lexicon';
import { isSearchable } from './term-spellings';

const MAX_TERM_CHARS = 200;

/** The lists that an operator may extend, by the kind of their terms. No list removes or excuses a term. */
const KIND_BY_LIST = {
  extra_terms: 'blocked',
  extra_minor_terms: 'minor',
  extra_sexual_terms: 'sexual',
} as const satisfies Record<string, TermKind>;
const LISTS = Object.keys(KIND_BY_LIST) as (keyof typeof KIND_BY_LIST)[];

/**
 * The words and phrases that the operator's file adds to the lexicon; it cannot remove any.
 * @throws ConfigError that names the first wrong line.
 */
export function readOperatorTerms({ document, sections }: ModerationFile): LexiconTerm[] {
  return LISTS.flatMap((list) =>
    sections.rules[list].map((term, index) => {
      const fail = (rule: string): never => {
        throw document.errorAt(['rules', list, index], rule);
      };
      if (typeof term !== 'string') return fail('must be a word or phrase; put quotes around figures');
      if (term.length > MAX_TERM_CHARS) return fail(`must not be longer than ${MAX_TERM_CHARS} characters`);
      if (!isSearchable(term)) return fail('needs at least two letters or figures');
      return { text: term, kind: KIND_BY_LIST[list], reason: 'operator_term' };
    }),
  );
}
