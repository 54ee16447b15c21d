import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

/** The two halves of the console. A session belongs to one of them. */
export type Half = 'customer' | 'operator';

/** What a route needs before its handler runs. */
export interface RouteAccess {
  /** `open` needs no session, such as a sign-in. Left out, the path decides. */
  session?: 'open';
  /** What the role of an operator must include; every route of operators that needs a session declares it. */
  permission?: string;
  /** Whether the password must have been repeated within the last minutes. */
  isConfirmed?: boolean;
  /** The handler gets the body as a stream, and the console neither parses nor holds it. */
  streamsBody?: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
  }
}

export function Access(access: RouteAccess): MethodDecorator & ClassDecorator {
  return RouteConfig({ access });
}

export function accessOf(request: FastifyRequest): RouteAccess {
  return request.routeOptions.config.access ?? {};
}

export const OPERATOR_API = '/admin/v1/operator';
const PROTECTED = ['/admin/', '/media/'];

/**
 * The half to which a path belongs; null for pages and files. A route below `/admin` or `/media` therefore needs a session
 * unless it says that it is open, and an operator's route never takes a session of a customer.
 */
export function halfOf(path: string): Half | null {
  if (path === OPERATOR_API || path.startsWith(`${OPERATOR_API}/`)) return 'operator';
  return PROTECTED.some((prefix) => path.startsWith(prefix)) ? 'customer' : null;
}
