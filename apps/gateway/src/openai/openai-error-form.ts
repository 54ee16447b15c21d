import { Injectable } from '@nestjs/common';
import type { ApiError } from '@kinora/contracts/shared/errors';
import type { FastifyRequest } from 'fastify';
import { type ErrorAnswer, OtherErrorForm } from '../http/error-answer';
import { toOpenAiError } from './openai-error';
import { isOpenAiRequest } from './openai-path';

/** Errors of admission and of /v1 in OpenAI's form, also on unknown paths. */
@Injectable()
export class OpenAiErrorForm extends OtherErrorForm {
  override toAnswer(error: ApiError, request: FastifyRequest): ErrorAnswer | null {
    return isOpenAiRequest(request) ? toOpenAiError(error).answer : null;
  }
}
