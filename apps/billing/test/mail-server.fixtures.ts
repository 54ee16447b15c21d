import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

const DELAY_MS = 300;

interface ReceivedEmail {
  recipient: string;
  /** With its headers, as it came. */
  raw: string;
}

/** How the server answers the next recipients. */
type Behaviour = 'accept' | 'refuse' | 'refuse_for_now' | 'refuse_message' | 'drop' | 'drop_after_accepting' | 'delay';

/** A real SMTP server on loopback, which can also refuse, drop and delay. */
export class MailServer {
  behaviour: Behaviour = 'accept';
  readonly received: ReceivedEmail[] = [];
  readonly passwords: string[] = [];
  readonly url: string;

  private constructor(private readonly server: SMTPServer) {
    const { port } = server.server.address() as AddressInfo;
    this.url = `smtp://sender:right%20password@127.0.0.1:${port}`;
  }

  static async start(): Promise<MailServer> {
    const holder: { mail?: MailServer } = {};
    const mail = (): MailServer => holder.mail as MailServer;
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, done) => {
        mail().passwords.push(password ?? '');
        done(password === 'right password' ? null : new Error('wrong'), { user: 'sender' });
      },
      onRcptTo: (_address, _session, done) => {
        const { behaviour } = mail();
        if (behaviour === 'delay') return void setTimeout(done, DELAY_MS, null);
        if (behaviour === 'drop') return mail().disconnect();
        done(behaviour.startsWith('refuse') && behaviour !== 'refuse_message' ? refusal(behaviour) : null);
      },
      onData: (stream, session, done) =>
        void text(stream).then((raw) => {
          const { behaviour } = mail();
          if (behaviour === 'refuse_message') return done(refusal(behaviour));
          mail().received.push({ recipient: session.envelope.rcptTo[0]?.address ?? '', raw });
          if (behaviour === 'drop_after_accepting') return mail().disconnect();
          done(null);
        }),
    });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return (holder.mail = new MailServer(server));
  }

  to(recipient: string): string[] {
    return this.received.filter((email) => email.recipient === recipient).map(({ raw }) => raw);
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => void this.server.close(resolve));
  }

  private disconnect(): void {
    for (const connection of this.server.connections) connection.close();
  }
}

function refusal(behaviour: Behaviour): Error {
  const responseCode = behaviour === 'refuse_for_now' ? 451 : 550;
  return Object.assign(new Error('refused someone@example.com'), { responseCode });
}
