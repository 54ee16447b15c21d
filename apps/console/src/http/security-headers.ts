import type { FastifyInstance } from 'fastify';

/** Everything comes from this origin; pages of other origins can neither frame the console nor load its parts. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const HEADERS: Record<string, string> = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // The address of a page names accounts and jobs.
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
};
const ONE_YEAR_SECONDS = 31_536_000;

/** Those of every response. */
export function securityHeaders(isSecure: boolean): Record<string, string> {
  return {
    ...HEADERS,
    ...(isSecure && { 'Strict-Transport-Security': `max-age=${ONE_YEAR_SECONDS}` }),
    // Handlers of files that may be kept replace it.
    'Cache-Control': 'no-store',
  };
}

/** Sets the headers on every response, before its handler runs, so that errors carry them too. */
export function setSecurityHeaders(server: FastifyInstance, isSecure: boolean): void {
  const headers = securityHeaders(isSecure);
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers({ ...headers, 'X-Request-Id': request.id });
    done();
  });
}
