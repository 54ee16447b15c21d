import { type NatsConnection, connect } from 'nats';

const SUBJECT = 'bench.floor';
const PAYLOAD = new TextEncoder().encode(JSON.stringify({ account_id: 'a', prompt: 'x'.repeat(540) }));

/** What a bare request and reply over the same broker takes, with an answer that was asked to do nothing. */
export class RequestReplyFloor {
  private constructor(
    private readonly asking: NatsConnection,
    private readonly answering: NatsConnection,
  ) {}

  static async start(natsUrl: string): Promise<RequestReplyFloor> {
    const [asking, answering] = await Promise.all([connect({ servers: natsUrl }), connect({ servers: natsUrl })]);
    answering.subscribe(SUBJECT, { callback: (_error, message) => message.respond(message.data) });
    await answering.flush();
    return new RequestReplyFloor(asking, answering);
  }

  async ask(): Promise<void> {
    await this.asking.request(SUBJECT, PAYLOAD, { timeout: 5_000 });
  }

  async close(): Promise<void> {
    await Promise.all([this.asking.close(), this.answering.close()]);
  }
}
