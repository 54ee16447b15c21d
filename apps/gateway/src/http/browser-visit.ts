import type { FastifyRequest } from 'fastify';

/** Where a person who has typed the bare address is sent, as seen from there. */
export const DOCS_LOCATION = './docs';

/** Whether a browser asks for the bare address: programs get the same 404 there as anywhere else. */
export function isBrowserVisit({ method, originalUrl, headers }: FastifyRequest): boolean {
  return method === 'GET' && originalUrl.split('?', 1)[0] === '/' && /\btext\/html\b/i.test(headers.accept ?? '');
}
