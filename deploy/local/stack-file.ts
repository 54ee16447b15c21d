import { PrivateJsonFile } from './private-json-file';

export interface StackProcess {
  pid: number;
  health_url: string;
  /** Gateways only. */
  base_url?: string;
}

/** The file by which the CLI, tests and other programs of this machine find the running stack. */
export interface Stack {
  /** The process id of the launcher: a signal to it stops everything. */
  pid: number;
  base_url: string;
  api_key: string;
  account_id: string;
  webhook_secret: string;
  /** The console's pages: customers at this address, operators below `/operator`. */
  console_url: string;
  /** Where the first operator makes an account, with a link that works once; null if there is an operator already. */
  console_setup_url: string | null;
  nats_url: string;
  database_url: string;
  processes: Record<string, StackProcess>;
}

/** The file exists only while the stack is ready. */
export class StackFile {
  private readonly file: PrivateJsonFile<Stack>;
  private published: Stack | null = null;

  constructor(path: string) {
    this.file = new PrivateJsonFile(path);
  }

  async publish(stack: Stack): Promise<void> {
    this.published = stack;
    await this.file.write(stack);
  }

  /** Updates the process id after a restart. */
  async updatePid(name: string, pid: number): Promise<void> {
    const process = this.published?.processes[name];
    if (!this.published || !process) return;
    process.pid = pid;
    await this.file.write(this.published);
  }

  /** Webhook receivers on this machine read the secret here. */
  async updateWebhookSecret(secret: string): Promise<void> {
    if (!this.published) return;
    this.published.webhook_secret = secret;
    await this.file.write(this.published);
  }

  async remove(): Promise<void> {
    this.published = null;
    await this.file.remove();
  }
}
