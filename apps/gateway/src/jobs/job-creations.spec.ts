import { Controller, Injectable } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import { type AbandonedCreation, abandonedCreationsRpc } from '@kinora/contracts/jobs/unkeyed-requests.rpc';
import { type CreateJobRequest, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import {
  TestBroker,
  type TestBus,
  closeAll,
  connectTestBus,
  createTestLog,
  startTestService,
  waitFor,
} from '@kinora/testing';
import { JOB } from '../../test/contexts.fixtures';
import { JobCreations } from './job-creations';

const REQUEST: CreateJobRequest = { account_id: 'acc', kind: 'image.generation', input: { prompt: 'a fox' } };
const KEYED = { ...REQUEST, idempotency: { key: 'k', route: 'r', body_sha256: 's' } };

/** Answers as told, and settles an abandoned creation at its second message. */
@Injectable()
class FakeJobs {
  failure: ApiError | null = null;
  readonly created: CreateJobRequest[] = [];
  readonly abandoned: AbandonedCreation[] = [];
}

@Controller()
class FakeJobsController {
  constructor(private readonly fake: FakeJobs) {}

  @Handles(jobsRpc.create)
  async create(request: CreateJobRequest) {
    this.fake.created.push(request);
    if (this.fake.failure) throw this.fake.failure;
    return Promise.resolve({ job: JOB, replayed: false });
  }

  @Handles(abandonedCreationsRpc.abandon)
  async abandon({ creations }: { creations: AbandonedCreation[] }) {
    const isKnown = ({ job_id }: AbandonedCreation) => this.fake.abandoned.some((known) => known.job_id === job_id);
    const settled = creations.filter(isKnown).map(({ job_id }) => job_id);
    this.fake.abandoned.push(...creations);
    return Promise.resolve({ settled });
  }
}

describe('the creation of a job', () => {
  let broker: TestBroker;
  let client: TestBus;
  let creations: JobCreations;
  let closing: (() => Promise<void>)[];

  beforeEach(async () => {
    broker = await TestBroker.start();
    client = await connectTestBus(broker.url);
    creations = new JobCreations(client.bus, createTestLog().logger);
    closing = [() => client.close(), () => broker.close()];
  });

  afterEach(() => closeAll(closing));

  const startJobs = async (): Promise<FakeJobs> => {
    const service = await startTestService({
      name: 'jobs',
      natsUrl: broker.url,
      controllers: [FakeJobsController],
      providers: [FakeJobs],
    });
    closing.unshift(() => service.close());
    return service.get(FakeJobs);
  };

  it('is abandoned if jobs does not answer, until jobs confirms it', async () => {
    await expect(creations.create(REQUEST)).rejects.toMatchObject({ code: 'capacity' });
    await expect(creations.create(KEYED)).rejects.toMatchObject({ code: 'capacity' });
    const { abandoned } = await startJobs();
    await waitFor(() => abandoned.length >= 4);
    expect(abandoned.slice(0, 2)).toEqual([
      { account_id: 'acc', job_id: expect.any(String) as string },
      { account_id: 'acc', job_id: expect.any(String) as string, has_key: true },
    ]);
    // Once jobs has confirmed both, nothing is left to send.
    await waitFor(async () => {
      const { length } = abandoned;
      await creations.onApplicationShutdown();
      return abandoned.length === length;
    });
  });

  it('is abandoned under the id that jobs received, if its outcome is unknown', async () => {
    const jobs = await startJobs();
    jobs.failure = ApiError.internal();
    await expect(creations.create(REQUEST)).rejects.toMatchObject({ code: 'internal_error' });
    await waitFor(() => jobs.abandoned.length === 2);
    expect(jobs.abandoned[0]?.job_id).toBe(jobs.created[0]?.job_id);
  });

  it.each(['capacity', 'insufficient_balance'] as const)('is not abandoned if jobs refuses it: %s', async (code) => {
    const jobs = await startJobs();
    jobs.failure = new ApiError(code, 'No.');
    await expect(creations.create(REQUEST)).rejects.toMatchObject({ code });
    jobs.failure = null;
    expect(await creations.create(REQUEST)).toEqual({ job: JOB, replayed: false });
    await creations.onApplicationShutdown();
    expect(jobs.abandoned).toEqual([]);
  });
});
