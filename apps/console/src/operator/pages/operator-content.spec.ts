import type { Job } from '@kinora/contracts/jobs/job';
import type { JobHistory } from '@kinora/contracts/jobs/job-history';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { type AppealDetails, appealsAdminRpc } from '@kinora/contracts/moderation/appeals.rpc';
import { type StrikeDetails, moderationAdminRpc } from '@kinora/contracts/moderation/moderation-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { INPUT_BOUNDS, readImageFacts } from '@kinora/images';
import { answering, on } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import type { Browser } from '../../../test/browser.fixtures';
import { useConsole } from '../../../test/console.fixtures';
import { paintPng } from '../../../test/png.fixtures';
import { confirm, operatorBrowser } from '../../../test/operator.fixtures';

const [ACCOUNT, JOB, STRIKE] = [uuidv7(), uuidv7(), uuidv7()];
const SECRET = 'a secret garden';
const canceled: unknown[] = [];
const lifted: unknown[] = [];
const decided: unknown[] = [];
let store = '';

function jobOf(): Job {
  return {
    ...{ id: JOB, object: 'job', status: 'succeeded', kind: 'image.generation', model: 'one' },
    input: { prompt: SECRET, negative_prompt: null, webhook_url: 'https://customer.test/hook', seed: 7 },
    output: { images: [{ url: `${store}/files/one.png?sig=secret`, mime: 'image/png', width: 64, height: 64 }] },
    usage: { charged_micros: 20_000 },
    ...{ moderation: { status: 'passed' }, error: null, created_at: '', started_at: null, completed_at: '' },
    ...{ expires_at: null, metadata: { order: SECRET } },
  } as unknown as Job;
}

/** Stands in for jobs and moderation. */
const fakeContexts = answering(
  on(jobsRpc.show, ({ job_id }) => {
    if (job_id !== JOB) throw new ApiError('not_found', 'There is no such job.');
    const canceled_work = { attempts: 0, too_late: 0, gpu_ms: 0 };
    return { account_id: ACCOUNT, job: jobOf(), attempts: [], canceled_work };
  }),
  on(jobsRpc.cancel, (request) => {
    canceled.push(request);
    return { ...jobOf(), status: 'canceled' };
  }),
  on(appealsAdminRpc.list, () => ({ data: [{ appeal_id: STRIKE, job_id: JOB } as AppealDetails] })),
  on(appealsAdminRpc.decide, (request) => {
    decided.push(request);
    return { appeal_id: STRIKE, account_id: ACCOUNT, job_id: JOB, decided_at: 'now' } as AppealDetails;
  }),
  on(moderationAdminRpc.liftStrike, (request) => {
    lifted.push(request);
    return { strike_id: STRIKE, account_id: ACCOUNT, job_id: JOB, lifted_at: 'now' } as unknown as StrikeDetails;
  }),
);

describe('the content of customers', () => {
  const bed = useConsole({}, fakeContexts);
  let owner: Browser;
  let support: Browser;
  let viewer: Browser;
  let email: string;

  beforeAll(async () => {
    store = bed.gateway.url;
    bed.gateway.answer = (_request, response) => void response.writeHead(200).end(paintPng(64, 64));
    ({ browser: owner } = await operatorBrowser(bed, 'owner'));
    ({ browser: support, email } = await operatorBrowser(bed, 'support'));
    ({ browser: viewer } = await operatorBrowser(bed, 'viewer'));
  });

  const job = `/admin/v1/operator/jobs/${JOB}`;
  const trail = async () =>
    (await owner.get(`/admin/v1/operator/audit?account_id=${ACCOUNT}&limit=100`)).json<{
      data: Record<string, unknown>[];
    }>().data;

  it('is shown to a role that may see it, and each view is an entry', async () => {
    const before = (await trail()).length;
    const answers = [await support.get(job), await support.get(job)];
    expect(answers.map((answer) => answer.json<JobHistory>().job.input)).toMatchObject([
      { prompt: SECRET },
      { prompt: SECRET },
    ]);
    const entries = await trail();
    expect(entries).toHaveLength(before + 2);
    expect(entries[0]).toMatchObject({ actor: email, action: 'view_job', target: JOB, outcome: 'done' });
    expect(JSON.stringify(entries)).not.toContain(SECRET);
  });

  it('is hidden from a viewer, parameters apart, and that view is no entry', async () => {
    const before = (await trail()).length;
    const { text } = await viewer.get(job);
    expect(text).not.toContain('secret');
    expect(text).not.toContain('customer.test');
    const shown = JSON.parse(text) as JobHistory;
    expect(shown.job).toMatchObject({ metadata: '[hidden]', output: { images: [{ width: 64 }] } });
    expect(shown.job.input).toEqual({ prompt: '[hidden]', negative_prompt: null, webhook_url: '[hidden]', seed: 7 });
    expect(await trail()).toHaveLength(before);
  });

  it('comes without links to outputs for every role', async () => {
    for (const browser of [support, viewer]) expect((await browser.get(job)).text).not.toContain(store);
  });

  it('is an image of 24 pixels, and each view is an entry', async () => {
    const before = (await trail()).length;
    const { response } = await support.open(`${job}/media/0`);
    const pieces: Buffer[] = [];
    for await (const piece of response as AsyncIterable<Buffer>) pieces.push(piece);
    expect(response.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'no-store' });
    expect(Buffer.concat(pieces).subarray(8, 12).toString()).toBe('WEBP');
    expect(await readImageFacts(Buffer.concat(pieces), { ...INPUT_BOUNDS, minSidePx: 1 })).toMatchObject({ width: 24 });
    await support.get(`${job}/media/0`);
    const entries = await trail();
    expect(entries).toHaveLength(before + 2);
    expect(entries[0]).toMatchObject({ actor: email, action: 'view_media', target: JOB, after: { number: 0 } });
    expect((await viewer.get(`${job}/media/0`)).status).toBe(403);
    expect((await support.get(`${job}/media/1`)).status).toBe(404);
  });

  it('leaves an entry also where the file cannot be shown', async () => {
    bed.gateway.answer = (_request, response) => void response.writeHead(200).end('no image');
    expect((await support.get(`${job}/media/0`)).status).toBe(404);
    expect((await trail())[0]).toMatchObject({ action: 'view_media', outcome: 'refused: not_found' });
  });

  it('is not needed to cancel a job, with a reason', async () => {
    expect((await support.post(`${job}/cancel`, {})).json()).toMatchObject({ error: { param: 'reason' } });
    expect((await support.post(`${job}/cancel`, { reason: 'stuck' })).json()).toEqual({
      job_id: JOB,
      status: 'canceled',
    });
    expect(canceled).toEqual([{ account_id: ACCOUNT, job_id: JOB }]);
    expect((await trail())[0]).toMatchObject({
      ...{ action: 'cancel_job', reason: 'stuck', outcome: 'done' },
      ...{ before: { status: 'succeeded' }, after: { status: 'canceled' } },
    });
  });

  it('is no reason to lift a strike without the password and a reason', async () => {
    const lift = (body: object) => support.post(`/admin/v1/operator/moderation/strikes/${STRIKE}/lift`, body);
    expect((await lift({ reason: 'a false alarm' })).json()).toMatchObject({
      error: { code: 'confirmation_required' },
    });
    await confirm(support);
    expect((await lift({})).json()).toMatchObject({ error: { param: 'reason' } });
    expect((await lift({ reason: 'a false alarm' })).status).toBe(200);
    expect(lifted).toEqual([{ strike_id: STRIKE, reason: 'a false alarm', actor: email }]);
    const { data } = (await owner.get('/admin/v1/operator/audit?limit=1')).json<{ data: Record<string, unknown>[] }>();
    expect(data).toMatchObject([{ action: 'lift_strike', target: STRIKE, reason: 'a false alarm', outcome: 'done' }]);
  });

  it('is not needed to decide appeals, which support may and a viewer may not', async () => {
    const appeals = '/admin/v1/operator/moderation/appeals';
    expect((await viewer.get(`${appeals}?status=open`)).json()).toMatchObject({ data: [{ appeal_id: STRIKE }] });
    expect((await viewer.post(`${appeals}/${STRIKE}/lift`, { reason: 'a statue' })).status).toBe(403);
    await confirm(support);
    for (const verb of ['lift', 'uphold'])
      expect((await support.post(`${appeals}/${STRIKE}/${verb}`, { reason: 'seen' })).status).toBe(200);
    const request = { appeal_id: STRIKE, reason: 'seen', actor: email };
    expect(decided).toEqual([
      { ...request, status: 'lifted' },
      { ...request, status: 'upheld' },
    ]);
    const { data } = (await owner.get('/admin/v1/operator/audit?limit=1')).json<{ data: Record<string, unknown>[] }>();
    expect(data).toMatchObject([{ action: 'uphold_block', target: STRIKE, reason: 'seen', outcome: 'done' }]);
  });
});
