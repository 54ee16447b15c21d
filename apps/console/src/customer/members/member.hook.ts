import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ConsoleError } from '../../http/console-error';
import { accessOf } from '../../http/route-access';
import { findForwardedRoute, FORWARDED_PREFIX } from '../forwarding/forwarded-routes';
import { mayUse } from './permissions';

/** Decides what a member may do, before the body of the request is read. The session was found already. */
@Injectable()
export class MemberHook {
  /** @throws ConsoleError role_required */
  onRequest(request: FastifyRequest): void {
    const { session } = request;
    if (request.is404 || session?.kind !== 'customer' || session.member_role === null) return;
    if (accessOf(request).session === 'open') return;
    if (!mayUse(session.member_role, routeOf(request)))
      throw new ConsoleError('role_required', `The role ${session.member_role} does not include this.`);
  }
}

/** An unknown path below the forwarded ones is in no table; owners get its 404. */
function routeOf({ method, url, routeOptions }: FastifyRequest): string {
  if (routeOptions.url !== `${FORWARDED_PREFIX}/*`) return `${method} ${routeOptions.url ?? ''}`;
  const [path = ''] = url.split('?', 1);
  return `${method} ${findForwardedRoute(method, path.slice(FORWARDED_PREFIX.length))?.path ?? ''}`;
}
