import type { FastifyRequest } from 'fastify';

/** The OpenAI-compatible API lies beside /v1. */
export const OPENAI_PATH = 'openai/v1';

export function isOpenAiRequest({ originalUrl }: FastifyRequest): boolean {
  return originalUrl.startsWith('/openai/');
}
