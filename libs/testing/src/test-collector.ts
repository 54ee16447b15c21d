import { type IncomingHttpHeaders, type IncomingMessage, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A received span in readable form. */
export interface CollectedSpan {
  service: string;
  name: string;
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  attributes: Record<string, unknown>;
  isError: boolean;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface ExportRequest {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        name: string;
        kind: number;
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        attributes: Attribute[];
        status: { code?: number };
      }[];
    }[];
  }[];
}

/** In the order of OTLP's numbers, of which 0 is not used. */
const KINDS = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const ERROR = 2;

/** A collector of traces for OTLP over HTTP in JSON, which records what it receives. */
export class TestCollector {
  readonly spans: CollectedSpan[] = [];
  readonly bodies: string[] = [];
  headers: IncomingHttpHeaders = {};
  /** The status of its answers; an export is recorded only if it is a success. */
  status = 200;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TestCollector> {
    const server = createServer();
    const collector = new TestCollector(server);
    server.on('request', (request, response) => {
      collector.receive(request).then(
        (status) => response.writeHead(status).end('{}'),
        // The sender was closed in the middle of an export.
        () => response.destroy(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  /** The address for the setting, without the path of the signal. */
  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  ofTrace(traceId: string): CollectedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async receive(request: IncomingMessage): Promise<number> {
    const body = await text(request);
    if (request.url !== '/v1/traces') return 404;
    if (this.status !== 200) return this.status;
    this.headers = request.headers;
    this.bodies.push(body);
    this.spans.push(...readSpans(JSON.parse(body) as ExportRequest));
    return this.status;
  }
}

function readSpans({ resourceSpans }: ExportRequest): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(readAttributes(resource.attributes)['service.name']);
    return scopeSpans
      .flatMap(({ spans }) => spans)
      .map(({ name, kind, traceId, spanId, parentSpanId, attributes, status }) => ({
        service,
        name,
        kind: KINDS[kind] ?? 'internal',
        traceId,
        spanId,
        parentSpanId: parentSpanId === '' ? undefined : parentSpanId,
        attributes: readAttributes(attributes),
        isError: status.code === ERROR,
      }));
  });
}

/** A value names its type: `{ "stringValue": "jobs" }`. */
function readAttributes(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
