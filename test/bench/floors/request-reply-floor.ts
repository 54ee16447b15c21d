import { connect, type NatsConnection } from 'nats';

const SUBJECT = 'bench.floor';
const PAYLOAD = new TextEncoder().encode(JSON.stringify({ account_id: 'a', prompt: 'x'.repeat(540) }));

/** The rate of a bare request-reply over the same broker, with a responder that does nothing. */
export class RequestReplyFloor {
  private constructor(
    private readonly requesting: NatsConnection,
    private readonly answering: NatsConnection,
  ) {}

  static async start(natsUrl: string): Promise<RequestReplyFloor> {
    const [requesting, answering] = await Promise.all([connect({ servers: natsUrl }), connect({ servers: natsUrl })]);
    answering.subscribe(SUBJECT, { callback: (_error, message) => message.respond(message.data) });
    await answering.flush();
    return new RequestReplyFloor(requesting, answering);
  }

  async request(): Promise<void> {
    await this.requesting.request(SUBJECT, PAYLOAD, { timeout: 5_000 });
  }

  async close(): Promise<void> {
    await Promise.all([this.requesting.close(), this.answering.close()]);
  }
}
