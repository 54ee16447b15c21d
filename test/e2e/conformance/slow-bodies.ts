import type { Answer } from '../../support/api-client';
import { RawConnection } from '../../support/raw-http';
import { expectOpenAiError } from './openai-api';
import { expectEnvelope } from './resources';
import type { TestBed } from './test-bed';

/** The gateway waits a minute for a body, and less where it arrives too slowly; plus the rounding of the server. */
const REFUSED_WITHIN_MS = 70_000;

/** Senders start before all other sections and are checked after them, so that their waiting time costs nothing. */
export class SlowBodies {
  private stalled!: RawConnection;
  private trickling!: RawConnection;
  private stalledForm!: RawConnection;
  private stalledFile!: RawConnection;
  private stalledOfOpenAi!: RawConnection;
  private dripping: NodeJS.Timeout | undefined;

  async begin({ port, apiKey }: TestBed): Promise<void> {
    const head = `Host: x\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\n`;
    const open = (): Promise<RawConnection> => RawConnection.open(port);
    [this.stalled, this.trickling] = await Promise.all([open(), open()]);
    [this.stalledForm, this.stalledOfOpenAi, this.stalledFile] = await Promise.all([open(), open(), open()]);
    const check = 'POST /v1/provenance/check HTTP/1.1\r\nHost: x\r\nContent-Type: video/mp4\r\n';
    this.stalledFile.write(`${check}Content-Length: 60000000\r\n\r\n\0\0\0\x18ftyp`);
    const generation = `POST /openai/v1/images/generations HTTP/1.1\r\n${head}`;
    this.stalledOfOpenAi.write(`${generation}Content-Length: 500\r\n\r\n{"prompt":`);
    const form = `POST /openai/v1/images/edits HTTP/1.1\r\n${head.replace('application/json', 'multipart/form-data; boundary=b')}`;
    this.stalledForm.write(`${form}Content-Length: 500\r\n\r\n--b\r\n`);
    this.stalled.write(`POST /v1/images/generations HTTP/1.1\r\n${head}Content-Length: 500\r\n\r\n{"prompt":`);
    this.trickling.write(`POST /v1/images/edits HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n`);
    this.dripping = setInterval(() => this.trickling.write('1\r\n \r\n'), 500);
  }

  end(): void {
    clearInterval(this.dripping);
  }

  describe(): void {
    describe('a body', () => {
      it.each(['stalled', 'trickling', 'stalledFile'] as const)(
        'that is %s is refused within a minute, with the error of its own route',
        async (kind) => {
          await this[kind].closed(REFUSED_WITHIN_MS);
          const [answer, ...more] = this[kind].answers;
          expect(more).toEqual([]);
          expectEnvelope(answer as Answer<unknown>, { status: 400, code: 'invalid_body' });
          expect(Number(answer?.headers.get('ratelimit-limit'))).toBe(1_000_000);
        },
        REFUSED_WITHIN_MS + 5_000,
      );

      it.each([
        ['a stalled body', 'stalledOfOpenAi'],
        ['a stalled form', 'stalledForm'],
      ] as const)(
        'of OpenAI is refused within a minute too: %s',
        async (_, kind) => {
          await this[kind].closed(REFUSED_WITHIN_MS);
          const [answer, ...more] = this[kind].answers;
          expect(more).toEqual([]);
          expectOpenAiError(answer as Answer<unknown>, { status: 400, code: 'invalid_body' });
        },
        REFUSED_WITHIN_MS + 5_000,
      );
    });
  }
}
