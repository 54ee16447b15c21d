import path from 'node:path';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, ValidateNested } from 'class-validator';
import { readOperatorFile } from '@kinora/service-kit';
import type { LexiconTerm, TermKind } from './lexicon';
import { isSearchable } from './term-spellings';

/** Each term costs memory and time at the start; a list without end would have no bound. */
const MAX_TERMS = 1_000;
const MAX_TERM_CHARS = 200;

/** The lists that an operator may extend, by what their terms say. There is no way to take a term away, nor to excuse one. */
const KIND_BY_LIST = {
  extra_terms: 'blocked',
  extra_minor_terms: 'minor',
  extra_sexual_terms: 'sexual',
} as const satisfies Record<string, TermKind>;
const LISTS = Object.keys(KIND_BY_LIST) as (keyof typeof KIND_BY_LIST)[];

class RulesSection {
  @IsArray()
  @ArrayMaxSize(MAX_TERMS)
  extra_terms: unknown[] = [];

  @IsArray()
  @ArrayMaxSize(MAX_TERMS)
  extra_minor_terms: unknown[] = [];

  @IsArray()
  @ArrayMaxSize(MAX_TERMS)
  extra_sexual_terms: unknown[] = [];
}

class ModerationFile {
  @ValidateNested()
  @Type(() => RulesSection)
  rules = new RulesSection();
}

/**
 * The words and phrases that the operator's `moderation.yaml` adds to the lexicon; it has no way to take any away.
 * No folder means no such file.
 * @throws ConfigError that names the first wrong line.
 */
export function loadOperatorTerms(configDir: string): LexiconTerm[] {
  const file = configDir === '' ? null : readOperatorFile(path.join(configDir, 'moderation.yaml'), ModerationFile);
  if (!file) return [];
  return LISTS.flatMap((list) =>
    file.content.rules[list].map((term, index) => {
      const fail = (rule: string): never => {
        throw file.errorAt(['rules', list, index], rule);
      };
      if (typeof term !== 'string') return fail('must be a word or phrase; put quotes around figures');
      if (term.length > MAX_TERM_CHARS) return fail(`must not be longer than ${MAX_TERM_CHARS} characters`);
      if (!isSearchable(term)) return fail('needs at least two letters or figures');
      return { text: term, kind: KIND_BY_LIST[list], reason: 'operator_term' };
    }),
  );
}
