import { createTransport, type Transporter } from 'nodemailer';
import { parseUrl } from '@kinora/contracts/shared/texts';
import type { BillingConfig } from '../billing.config';
import { MailRefused, type MailTransport, type OutgoingEmail } from './mail-transport.port';

const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;
/** Less than the lease of an e-mail: a server that answers byte by byte does not hold it longer. */
const ATTEMPT_MS = 60_000;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** Sends through an SMTP server, each e-mail on a connection of its own. */
export class SmtpTransport implements MailTransport {
  readonly name = 'smtp';
  readonly isReadable = false;

  constructor(private readonly config: Pick<BillingConfig['mail'], 'smtpUrl' | 'from'>) {}

  async send({ id, recipient, subject, text, html }: OutgoingEmail): Promise<void> {
    const { from } = this.config;
    const [domain = 'kinora'] = /(?<=@)[^>]+/.exec(from) ?? [];
    const headers = { 'Auto-Submitted': 'auto-generated' };
    const message = { from, to: { name: '', address: recipient }, subject, text, html, headers };
    try {
      await this.use((server) => server.sendMail({ ...message, messageId: `<${id}@${domain}>` }));
    } catch (error) {
      throw isRefusal(error) ? new MailRefused(reasonOf(error)) : new Error(reasonOf(error));
    }
  }

  async check(): Promise<void> {
    await this.use((server) => server.verify()).catch((error: unknown) => {
      throw new Error(reasonOf(error));
    });
  }

  private async use(work: (server: Transporter) => Promise<unknown>): Promise<void> {
    const server = createTransport(optionsOf(this.config.smtpUrl));
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('the server did not finish in time')), ATTEMPT_MS);
    });
    try {
      await Promise.race([work(server), deadline]);
    } finally {
      clearTimeout(timer);
      server.close();
    }
  }
}

function optionsOf(smtpUrl: string) {
  const url = parseUrl(smtpUrl);
  if (!url) throw new Error('KINORA_SMTP_URL is no URL.');
  const { protocol, hostname, port, username, password, searchParams } = url;
  const secure = protocol === 'smtps:';
  const isPlain = LOOPBACK.test(hostname) || searchParams.get('ignoreTLS') === 'true';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    ...(!secure && (isPlain ? { ignoreTLS: true } : { requireTLS: true })),
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

interface SmtpError {
  code?: string;
  responseCode?: number;
}

/** A refused sign-in, a lost connection and every 4xx may be otherwise the next time. */
function isRefusal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as SmtpError;
  return responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
}

/** The server's sentence may repeat the address or the message, so only its code is kept. */
function reasonOf(error: unknown): string {
  const { code, responseCode } = error as SmtpError;
  if (code === undefined && responseCode === undefined) return error instanceof Error ? error.message : String(error);
  return [code, responseCode].filter((part) => part !== undefined).join(' ');
}
