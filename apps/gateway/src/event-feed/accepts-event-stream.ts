import type { FastifyRequest } from 'fastify';

/** Whether the client names the type of event streams. A wildcard, which every HTTP library sends, does not ask for one. */
export function acceptsEventStream({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const ranges = (headers.accept ?? '').toLowerCase().split(',');
  return ranges.some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    return type === 'text/event-stream' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
