import { ApiError, type ErrorCode, JOB_ERROR_CODES } from '@kinora/contracts/shared/errors';
import type { Job } from '@kinora/contracts/jobs/job';
import type { ErrorAnswer } from '../../../../apps/gateway/src/http/error-answer';
import {
  type OpenAiErrorBody,
  stillInFlight,
  toJobEndError,
  toOpenAiError,
} from '../../../../apps/gateway/src/openai/openai-error';
import type { OpenAiOperationFacts } from '../../../../apps/gateway/src/openai/openai-operation.decorator';
import type { JsonSchema } from '../contracts/json-schema';
import type { ApiRoute } from './api-routes';
import { MEANING_OF_END } from './error-guide';
import { commonHeaders, errorCodesOf, headerRef } from './error-responses';

/** An error as the gateway answers it, with its meaning. */
interface DescribedError {
  answer: ErrorAnswer;
  meaning: string;
}

const MEANING_OF_STATUS: Record<number, string> = {
  400: 'The request is malformed, a field or parameter is not valid (`param` names it), or the content policy forbids it.',
  401: 'The API key is missing, malformed, unknown, revoked or expired.',
  402: 'The balance cannot cover the price.',
  403: 'The account, or its API key, may not perform this operation.',
  404: 'The object does not exist, or belongs to another account.',
  409: 'The request conflicts with another one, or its job was canceled. A repeat cannot help.',
  429: 'Too many requests, or too many jobs at once. Retry after `Retry-After`, and back off.',
  500: 'An unexpected error of the service.',
  502: 'The job failed and was refunded. A repeat rarely helps.',
  503: 'No capacity right now. Retry after `Retry-After`, and back off.',
  504: 'The job has not ended in time and runs on.',
};

/** The error responses, by status. Each is translated as the gateway translates it. */
export function openAiErrorResponses(
  route: ApiRoute<OpenAiOperationFacts>,
  describeCode: (code: ErrorCode) => string,
): Record<string, JsonSchema> {
  const errors: DescribedError[] = [
    ...errorCodesOf(route).map((code) => ({
      answer: toOpenAiError(new ApiError(code, '')).answer,
      meaning: describeCode(code),
    })),
    ...(route.operation.waitsForJob ? jobEnds() : []),
  ];
  const byStatus = new Map<number, DescribedError[]>();
  for (const error of errors) {
    const { status } = error.answer;
    byStatus.set(status, [...(byStatus.get(status) ?? []), error]);
  }
  return Object.fromEntries([...byStatus].map(([status, same]) => [status, errorResponse(status, same)]));
}

function jobEnds(): DescribedError[] {
  const failed = JOB_ERROR_CODES.map((code) => ({
    answer: toJobEndError({ status: 'failed', error: { code, message: '' } } as Job).answer,
    meaning: MEANING_OF_END[code],
  }));
  return [
    ...failed,
    { answer: toJobEndError({ status: 'canceled' } as Job).answer, meaning: 'The job was canceled.' },
    { answer: stillInFlight('', 0).answer, meaning: 'The job runs on. The same request, sent again, joins it.' },
  ];
}

function errorResponse(status: number, errors: DescribedError[]): JsonSchema {
  const description = MEANING_OF_STATUS[status];
  if (description === undefined)
    throw new Error(`Status ${status} has no meaning: add it to MEANING_OF_STATUS in openai-error-responses.ts.`);
  const codes = [...new Set(errors.map(({ answer }) => answer.code))].sort();
  const meanings = codes.map((code) => {
    const found = errors.filter(({ answer }) => answer.code === code).map(({ meaning }) => meaning);
    return `- \`${code}\`: ${[...new Set(found)].join(' ')}`;
  });
  const types = [...new Set(errors.map(({ answer }) => (answer.body as OpenAiErrorBody).error.type))].sort();
  const error = { type: 'object', properties: { type: { enum: types }, code: { enum: codes } } };
  const headers = [...new Set(errors.flatMap(({ answer }) => Object.keys(answer.headers)))];
  return {
    description: `${description}\n\n${meanings.join('\n')}`,
    headers: { ...commonHeaders(), ...Object.fromEntries(headers.map((name) => [name, headerRef(name)])) },
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/OpenAiErrorBody' }, { type: 'object', properties: { error } }],
        },
      },
    },
  };
}
