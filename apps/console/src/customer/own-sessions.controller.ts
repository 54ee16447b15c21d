import { Controller, Delete, Get, Param } from '@nestjs/common';
import { CurrentSession } from '../session/current-session.decorator';
import type { Session } from '../session/sessions';
import { type OwnSession, OwnSessions } from './own-sessions';

/** Shows a customer where the account is signed in, and ends what should not be. */
@Controller('admin/v1/sessions')
export class OwnSessionsController {
  constructor(private readonly sessions: OwnSessions) {}

  @Get()
  list(@CurrentSession() session: Session): Promise<{ data: OwnSession[] }> {
    return this.sessions.list(session);
  }

  @Delete(':id')
  async end(@CurrentSession() session: Session, @Param('id') id: string): Promise<{ id: string; ended: true }> {
    await this.sessions.end(session, id);
    return { id, ended: true };
  }
}
