import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ConsoleError } from '../../http/console-error';
import { OPERATOR_API, type RouteAccess, accessOf } from '../../http/route-access';
import { OperatorUserRepository } from './operator-user.repository';
import { PERMISSIONS_OF_ROLE, isPermission } from './permissions';

/** Decides what an operator may do, before the body of the request is read. The session was found already. */
@Injectable()
export class OperatorHook {
  constructor(private readonly users: OperatorUserRepository) {}

  /** @throws ConsoleError not_signed_in, role_required, confirmation_required */
  async onRequest(request: FastifyRequest): Promise<void> {
    if (request.is404 || !isOfOperators(request.routeOptions.url)) return;
    const access = accessOf(request);
    if (access.session === 'open') return;
    const { session } = request;
    const user = session?.user_id ? await this.users.find(session.user_id) : null;
    // Read for each request, so that a disabled user or a changed role takes effect at once.
    if (!session || !user || user.disabled_at !== null)
      throw new ConsoleError('not_signed_in', 'Sign in first: there is no session.');
    const { permission, isConfirmed = false } = access;
    if (permission === undefined || !isPermission(permission) || !PERMISSIONS_OF_ROLE[user.role].has(permission))
      throw new ConsoleError('role_required', `The role ${user.role} does not include this (${permission ?? 'none'}).`);
    if (isConfirmed && (session.confirmed_until?.getTime() ?? 0) <= Date.now())
      throw new ConsoleError('confirmation_required', 'Repeat the password first.');
    request.operator = { id: user.id, email: user.email, role: user.role, request_id: request.id };
  }
}

/** Ends the start of the program if a route of operators declares neither a permission nor that it is open. */
export function requirePermissions(server: FastifyInstance): void {
  server.addHook('onRoute', ({ url, method, config }) => {
    if (!isOfOperators(url)) return;
    const { session, permission }: RouteAccess = config?.access ?? {};
    if (session === 'open' || (permission !== undefined && isPermission(permission))) return;
    throw new Error(`${String(method)} ${url} declares no permission: add @Requires(…).`);
  });
}

function isOfOperators(url: string | undefined): boolean {
  return url === OPERATOR_API || (url ?? '').startsWith(`${OPERATOR_API}/`);
}
