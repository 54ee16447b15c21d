import { ApiError } from '@kinora/contracts/shared/errors';

/**
 * A command line without a known command, or with an argument missing. `explanation` is for people and may be a whole
 * help text.
 */
export class UsageError extends ApiError {
  constructor(readonly explanation: string) {
    const [, complaint] = /^error: (.*)/.exec(explanation) ?? [];
    // The parser's messages name the wrong part in one format: option '--name <name>', argument 'status'.
    const [, param] = /(?:option|argument) '([\w-]+)/.exec(complaint ?? '') ?? [];
    const details = param === undefined ? {} : { param };
    super('invalid_body', complaint ?? 'A command is missing; --help lists them.', details);
  }
}
