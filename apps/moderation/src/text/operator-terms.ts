import path from 'node:path';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, ValidateNested } from 'class-validator';
import { readOperatorFile } from '@kinora/service-kit';
import { isSearchable } from './term-matcher';

/** Every term is looked for in every prompt before a job is accepted; a list without end would have no such bound. */
const MAX_TERMS = 1_000;
const MAX_TERM_CHARS = 200;

class RulesSection {
  @IsArray()
  @ArrayMaxSize(MAX_TERMS)
  extra_terms: unknown[] = [];
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
export function loadOperatorTerms(configDir: string): string[] {
  const file = configDir === '' ? null : readOperatorFile(path.join(configDir, 'moderation.yaml'), ModerationFile);
  if (!file) return [];
  return file.content.rules.extra_terms.map((term, index) => {
    const fail = (rule: string): never => {
      throw file.errorAt(['rules', 'extra_terms', index], rule);
    };
    if (typeof term !== 'string') return fail('must be a word or phrase; put quotes around figures');
    if (term.length > MAX_TERM_CHARS) return fail(`must not be longer than ${MAX_TERM_CHARS} characters`);
    if (!isSearchable(term)) return fail('needs at least two letters or figures');
    return term;
  });
}
