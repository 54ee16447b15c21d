import { ArrayMaxSize, IsArray } from 'class-validator';

/** Each term costs memory and time at the start; a list without end would have no bound. */
const MAX_TERMS = 1_000;

/** What an operator may add to the lexicon. */
export class RulesSection {
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
