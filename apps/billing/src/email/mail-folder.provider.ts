import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { MailTransport, OutgoingEmail } from './mail-transport.port';

/** Writes `.eml` files, which every mail program opens. */
export class MailFolder implements MailTransport {
  readonly name = 'folder';
  readonly isReadable = true;

  constructor(
    private readonly folder: string,
    private readonly from: string,
  ) {}

  async send({ id, recipient, subject, text, html }: OutgoingEmail): Promise<void> {
    const composer = createTransport({ streamTransport: true, buffer: true });
    const from = this.from === '' ? 'Kinora <kinora@localhost>' : this.from;
    const { message } = await composer.sendMail({
      from,
      to: recipient,
      subject,
      text,
      html,
      messageId: `<${id}@kinora>`,
    });
    await this.check();
    const file = join(this.folder, `${id}.eml`);
    // A reader of the folder sees whole files only.
    await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
    await rename(`${file}.part`, file);
  }

  async check(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
  }
}
