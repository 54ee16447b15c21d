import { JobsConfig } from '../jobs.config';
import { CallbackAddresses } from './submit-attempt';

const TARGET = { jobId: '0192f3a0-0000-7000-8000-00000000000a', attemptNumber: 1 };

describe('callback addresses', () => {
  const find = (settings: Partial<JobsConfig>): string | undefined =>
    new CallbackAddresses(Object.assign(new JobsConfig(), { urlSigningKey: 'k'.repeat(32) }, settings)).find(
      'r',
      TARGET,
    );

  it.each([
    ['https://kinora.example', '', 'https://kinora.example/callbacks/r/'],
    ['https://kinora.example/', '', 'https://kinora.example/callbacks/r/'],
    ['http://127.0.0.1:8080', 'http://gateway.internal:8080/', 'http://gateway.internal:8080/callbacks/r/'],
  ])('start with %s, or with %j if that is set', (publicUrl, callbackUrl, start) => {
    expect(find({ publicUrl, callbackUrl })).toMatch(new RegExp(`^${start}${TARGET.jobId}-1\\.[\\w-]{43}$`));
  });

  it.each([
    ['http://kinora.example', ''],
    ['https://127.0.0.1', ''],
    ['https://localhost:8443', ''],
    ['https://kinora.example', 'none'],
  ])('are undefined if backends cannot reach %s, or if callbacks are switched off (%j)', (publicUrl, callbackUrl) => {
    expect(find({ publicUrl, callbackUrl })).toBeUndefined();
  });
});
