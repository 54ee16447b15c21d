import { deadlineIn, runInCall } from '@kinora/bus';
import { NestLogger, createLogger } from './logger';

describe('logger', () => {
  function recording(level = 'info') {
    const lines: string[] = [];
    const logger = createLogger('billing', level, { write: (line) => void lines.push(line) });
    return { logger, lines, last: () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown> };
  }

  it('writes an event with its service and time as one JSON line', () => {
    const { logger, last } = recording();
    logger.info({ job_id: 'job_1' }, 'job_finished');
    expect(last()).toMatchObject({ level: 'info', service: 'billing', msg: 'job_finished', job_id: 'job_1' });
    expect(new Date(String(last().time)).getTime()).toBeCloseTo(Date.now(), -4);
  });

  it('adds the request id of the current call to a line', () => {
    const { logger, last } = recording();
    runInCall({ requestId: 'req_1', deadlineAtMs: deadlineIn(1_000) }, () => logger.info({}, 'inside'));
    expect(last()).toMatchObject({ request_id: 'req_1' });
    logger.info({}, 'outside');
    expect(last()).not.toHaveProperty('request_id');
  });

  it.each(['authorization', 'api_key', 'secret', 'webhook_secret', 'prompt', 'url'])(
    'never shows the value under %s, at any depth of the line',
    (name) => {
      const { logger, lines } = recording();
      const careless = { [name]: 'do-not-show' };
      logger.info(careless, 'top');
      logger.info({ request: careless }, 'below');
      logger.info({ request: { headers: careless } }, 'deep');
      logger.info({ requests: [{ headers: [careless] }] }, 'in lists');
      logger.info({ err: Object.assign(new Error('careless'), careless) }, 'of an error');
      expect(lines).toHaveLength(5);
      expect(lines.join()).not.toContain('do-not-show');
    },
  );

  it('shows the rest of such a line, and does not change the logged object', () => {
    const { logger, last } = recording();
    const careless = { job_id: 'job_1', request: { url: 'do-not-show', sent_at: new Date(0), size: null } };
    logger.info(careless, 'careless');
    expect(last()).toMatchObject({
      job_id: 'job_1',
      request: { url: '[Redacted]', sent_at: '1970-01-01T00:00:00.000Z', size: null },
    });
    expect(careless.request.url).toBe('do-not-show');
  });

  it('writes a line with a circular reference', () => {
    const { logger, last } = recording();
    const endless: Record<string, unknown> = { job_id: 'job_1' };
    endless.self = endless;
    logger.info(endless, 'endless');
    expect(last()).toMatchObject({ job_id: 'job_1' });
  });

  it("logs Nest's own messages at debug level only", () => {
    const { logger, lines } = recording('info');
    new NestLogger(logger).log('Starting Nest application...', 'NestFactory');
    expect(lines).toEqual([]);
    new NestLogger(logger).error('it broke', 'at somewhere');
    expect(lines).toHaveLength(1);
  });
});
