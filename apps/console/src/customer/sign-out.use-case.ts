import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { type Session, Sessions } from '../session/sessions';
import { PortalKeys } from './portal-keys';

/** Ends a session, and with it the key that a portal link has made for it. */
@Injectable()
export class SignOut {
  constructor(
    private readonly sessions: Sessions,
    private readonly portalKeys: PortalKeys,
  ) {}

  async execute(session: Session, reply: FastifyReply): Promise<void> {
    await this.sessions.end(session, reply);
    await this.portalKeys.revokeOf(session, session);
  }
}
