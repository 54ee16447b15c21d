import type { FastifyReply } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the answer reports that a job has ended without images. A repeat then is a new request. */
    reportsFailedJob: boolean;
  }
}

/**
 * Whether the client still waits for its job after this answer: it repeats the request after a 429 and every 5xx, also after one
 * that came too late to send the images. A job that ended without images has nothing more to answer.
 */
export function leavesUnanswered({ statusCode, request }: FastifyReply): boolean {
  return !request.reportsFailedJob && (statusCode === 429 || statusCode >= 500);
}
