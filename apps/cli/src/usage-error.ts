import { ApiError } from '@kinora/contracts/shared/errors';

/** A command line that names no command, or lacks something. `explanation` is for people and may be a whole help text. */
export class UsageError extends ApiError {
  constructor(readonly explanation: string) {
    const [, complaint] = /^error: (.*)/.exec(explanation) ?? [];
    // The parser's complaints name what is wrong in one way: option '--name <name>', argument 'status'.
    const [, param] = /(?:option|argument) '([\w-]+)/.exec(complaint ?? '') ?? [];
    const details = param === undefined ? {} : { param };
    super('invalid_body', complaint ?? 'A command is missing; --help lists them.', details);
  }
}
