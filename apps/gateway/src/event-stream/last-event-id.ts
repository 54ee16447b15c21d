import type { FastifyRequest } from 'fastify';

/** Longer than any id that a stream of this service has sent. */
const MAX_CHARS = 200;

/** The id of the last event that a reconnecting client has received; undefined without one, and for no id of this service. */
export function lastEventId({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' && id !== '' && id.length <= MAX_CHARS ? id : undefined;
}
