import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { statement } from '@kinora/database';
import { loadConfig } from '@kinora/service-kit';
import { useBilling } from './billing.fixtures';
import { BillingConfig } from '../src/billing.config';
import { BillingPruner } from '../src/background/billing-pruner';
import { Emails } from '../src/email/emails';
import { writeEmail } from '../src/email/email-content';
import { ListEmails } from '../src/use-cases/list-emails.query';
import { SendEmails } from '../src/use-cases/send-emails.use-case';
import { MailServer } from './mail-server.fixtures';

const DUE = statement('spec_emails_due', "UPDATE email SET next_attempt_at = now() - interval '1 second'");
const OLD = statement('spec_emails_old', "UPDATE email SET created_at = now() - interval '25 hours'");
const ENDED = statement('spec_emails_ended', "UPDATE email SET ended_at = now() - interval '8 days'");
const ROWS = statement('spec_emails', 'SELECT * FROM email ORDER BY id DESC');
const CLEAR = statement('spec_emails_clear', 'DELETE FROM email');

const LINK = 'https://console.example.com/welcome#token=sEcReT';
const CONTENT = {
  subject: 'Welcome\r\nBcc: everyone@example.com',
  paragraphs: ['Tom & <b>Jerry</b> say "hello".'],
  link: { label: 'Continue', url: LINK },
  reason: 'This address was used to sign up.',
};

interface EmailRow {
  attempts: number;
  failure: string | null;
  sealed: Buffer | null;
  sent_at: Date | null;
  ended_at: Date | null;
}

let server: MailServer;
beforeAll(async () => void (server = await MailServer.start()));
afterAll(() => server.close());

describe('e-mail by SMTP', () => {
  const mail = () => ({
    ...new BillingConfig().mail,
    smtpUrl: server.url,
    from: 'Kinora <no-reply@kinora.example>',
    consoleUrl: 'https://console.example.com',
  });
  const billing = useBilling(() => ({ mail: mail() }));
  const send = () => billing.get(SendEmails).execute();
  const rows = () => billing.database.query<EmailRow & Record<string, unknown>>(ROWS);
  const queue = (recipient = 'ada@example.com') =>
    billing.database.transaction((transaction) =>
      billing.get(Emails).queue(transaction, { kind: 'test', recipient, account_id: null, content: CONTENT }),
    );

  beforeEach(async () => {
    server.behaviour = 'accept';
    server.received.length = 0;
    await billing.database.execute(CLEAR);
  });

  it('is sent once, in text and HTML, with a subject of one line', async () => {
    await queue();
    expect(await send()).toBe(1);
    expect(await send()).toBe(0);
    const [raw = '', ...others] = server.to('ada@example.com');
    expect(others).toEqual([]);
    expect(raw).toMatch(/^Subject: Welcome Bcc: everyone@example.com\r$/m);
    expect(raw).not.toMatch(/^Bcc:/m);
    expect(raw).toContain('multipart/alternative');
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(raw.replaceAll('=\r\n', '')).not.toMatch(/<img|<script|https?:\/\/(?!console\.example\.com)/i);
    expect(server.passwords.at(-1)).toBe('right password');
  });

  it('does not exist where the transaction of its cause fails', async () => {
    const failing = billing.database.transaction(async (transaction) => {
      await billing
        .get(Emails)
        .queue(transaction, { kind: 'x', recipient: 'a@b.c', account_id: null, content: CONTENT });
      throw new Error('the cause fails');
    });
    await expect(failing).rejects.toThrow('the cause fails');
    expect(await rows()).toEqual([]);
  });

  it('lies in the database without its link, and without any text once it is sent', async () => {
    await queue();
    const [waiting] = await rows();
    expect(waiting?.sealed?.toString('latin1')).not.toContain('sEcReT');
    expect(JSON.stringify(waiting)).not.toContain('sEcReT');
    await send();
    expect((await rows())[0]).toMatchObject({ sealed: null, failure: null });
    expect((await billing.get(ListEmails).list({})).data[0]).toMatchObject({ state: 'sent', text: null });
  });

  it.each(['refuse_for_now', 'drop'] as const)('is tried again after: %s', async (behaviour) => {
    await queue();
    server.behaviour = behaviour;
    await send();
    const [failed] = await rows();
    expect(failed).toMatchObject({ attempts: 1, ended_at: null });
    expect(failed?.failure).toMatch(behaviour === 'drop' ? /^E/ : /451/);
    expect(await send()).toBe(0);
    server.behaviour = 'accept';
    await billing.database.execute(DUE);
    await send();
    expect(server.to('ada@example.com')).toHaveLength(1);
    expect((await rows())[0]).toMatchObject({ attempts: 2, failure: null });
  });

  it('goes out again under the same Message-ID where the answer is lost', async () => {
    await queue();
    server.behaviour = 'drop_after_accepting';
    await send();
    server.behaviour = 'accept';
    await billing.database.execute(DUE);
    await send();
    const ids = server.to('ada@example.com').map((raw) => /^Message-ID: (.*)\r$/im.exec(raw)?.[1]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it.each(['refuse', 'refuse_message'] as const)('is given up at once after: %s', async (behaviour) => {
    await queue();
    server.behaviour = behaviour;
    await send();
    const [ended] = await rows();
    expect(ended).toMatchObject({ sent_at: null, sealed: null });
    expect(ended?.ended_at).not.toBeNull();
    expect(ended?.failure).toMatch(/550/);
    // The sentence of the server names an address.
    expect(ended?.failure).not.toContain('someone@example.com');
  });

  it('is given up after a day', async () => {
    await queue();
    server.behaviour = 'refuse_for_now';
    await billing.database.execute(OLD);
    await send();
    expect((await billing.get(ListEmails).list({})).data[0]).toMatchObject({ state: 'given_up', attempts: 1 });
  });

  it('is sent by one of two senders', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, index) => queue(`user${index}@example.com`)));
    await Promise.all([send(), send(), send()]);
    expect(new Set(server.received.map(({ recipient }) => recipient)).size).toBe(12);
    expect(server.received).toHaveLength(12);
  });

  it('is not sent twice by a slow server', async () => {
    await queue();
    server.behaviour = 'delay';
    const claimed = await Promise.all([send(), send()]);
    expect(claimed.toSorted()).toEqual([0, 1]);
    expect(server.received).toHaveLength(1);
  });

  it('is deleted a week after its end', async () => {
    await queue();
    await send();
    await billing.get(BillingPruner).prunePage();
    expect(await rows()).toHaveLength(1);
    await billing.database.execute(ENDED);
    await billing.get(BillingPruner).prunePage();
    expect(await rows()).toEqual([]);
  });

  it('links to the configured address of the console', () => {
    expect(billing.get(Emails).linkTo('/welcome#token=t')).toBe('https://console.example.com/welcome#token=t');
  });

  it('is checked by a sign-in at the server', async () => {
    expect(await billing.get(ListEmails).check()).toEqual({ transport: 'smtp', problem: null });
  });
});

describe('a wrong password of the mail server', () => {
  const billing = useBilling(() => ({
    mail: { ...new BillingConfig().mail, smtpUrl: server.url.replace('right', 'wrong'), from: 'a@b.c' },
  }));

  it('is found by the check, which names no secret', async () => {
    const { problem } = await billing.get(ListEmails).check();
    expect(problem).toBe('EAUTH 535');
  });
});

describe('e-mail to a folder', () => {
  let folder: string;
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'kinora-mail-'))));
  afterAll(() => rm(folder, { recursive: true }));
  const billing = useBilling(() => ({
    profile: 'local',
    mail: { ...new BillingConfig().mail, folder, consoleUrl: 'http://127.0.0.1:8081' },
  }));

  it('is a file that operators can read', async () => {
    const email = { kind: 'test', recipient: 'ada@example.com', account_id: null, content: CONTENT };
    await billing.database.transaction((transaction) => billing.get(Emails).queue(transaction, email));
    await billing.get(SendEmails).execute();
    const [shown] = (await billing.get(ListEmails).list({})).data;
    expect(shown?.text).toContain(LINK);
    const file = await readFile(join(folder, `${shown?.email_id}.eml`), 'utf8');
    expect(file).toMatch(/^To: ada@example.com\r$/m);
  });
});

describe('without a way out', () => {
  const billing = useBilling();

  it('no e-mail is kept', async () => {
    const email = { kind: 'test', recipient: 'ada@example.com', account_id: null, content: CONTENT };
    await billing.database.transaction((transaction) => billing.get(Emails).queue(transaction, email));
    expect(await billing.database.query(ROWS)).toEqual([]);
    expect(await billing.get(ListEmails).check()).toEqual({ transport: 'none', problem: null });
  });
});

describe('the texts of an e-mail', () => {
  it('show markup of a text as text', () => {
    const { html, text } = writeEmail(CONTENT);
    expect(html).toContain('Tom &amp; &lt;b&gt;Jerry&lt;/b&gt; say &quot;hello&quot;.');
    expect(text).toContain('Tom & <b>Jerry</b> say "hello".');
    expect(text).toContain(LINK);
  });
});

describe('the settings of e-mail', () => {
  const REQUIRED = { DATABASE_URL: 'postgres://billing', KINORA_KEY_PEPPER: 'p'.repeat(32) };
  const SMTP = { KINORA_SMTP_URL: 'smtps://user:secret@mail.example.com' };
  const SENDER = { KINORA_MAIL_FROM: 'Kinora <no-reply@example.com>' };
  const LINKS = { KINORA_MAIL_CONSOLE_URL: 'https://console.example.com' };
  const load = (env: NodeJS.ProcessEnv) => loadConfig(BillingConfig, { ...REQUIRED, ...env });

  it('are complete with a server, a sender and the address of links', () => {
    expect(load({ ...SMTP, ...SENDER, ...LINKS }).mail).toMatchObject({ consoleUrl: 'https://console.example.com' });
  });

  it.each([
    [{ KINORA_SMTP_URL: 'mail.example.com' }, 'KINORA_SMTP_URL'],
    [{ ...SMTP, ...LINKS }, 'KINORA_MAIL_FROM'],
    [{ ...SMTP, ...LINKS, KINORA_MAIL_FROM: 'a@b.c\r\nBcc: x@y.z' }, 'KINORA_MAIL_FROM'],
    [{ ...SMTP, ...SENDER }, 'KINORA_MAIL_CONSOLE_URL'],
    [{ KINORA_MAIL_DIR: '/mail' }, 'KINORA_MAIL_CONSOLE_URL'],
  ])('are refused with the name of the setting: %j', (env, name) => {
    expect(() => load(env)).toThrow(name);
    expect(() => load(env)).not.toThrow('secret');
  });
});
