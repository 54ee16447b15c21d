import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import type { Bus } from '@kinora/bus';
import { moderationAdminRpc } from '@kinora/contracts/moderation/moderation-admin.rpc';
import { moderationRpc } from '@kinora/contracts/moderation/moderation.rpc';
import { statement } from '@kinora/database';
import { FileObjectStore } from '@kinora/object-store';
import { STRICT_POLICY } from './gate.fixtures';
import { type TestDatabase, type TestService, startTestService, waitFor, closeAll } from '@kinora/testing';
import { Canaries } from '../src/background/canaries';
import { ListDecisions } from '../src/use-cases/list-decisions.query';
import { storeJudgedFiles } from './judged-files.fixtures';
import { ModerationServiceFixture } from './moderation-service.fixtures';
import { StrikeWatch } from './strike-watch.fixtures';
import { TEST_TEXT } from '../src/text/lexicon';
import { TextRulesEngine } from '../src/text/text-rules.engine';

const DECISIONS_OF_JOB = statement(
  'test_decisions_of_job',
  'SELECT account_id, stage, verdict, engine, reason, content_sha256 FROM decision WHERE job_id = $1 ORDER BY id',
);
const STRIKES_OF_JOB = statement('test_strikes_of_job', 'SELECT account_id FROM strike WHERE job_id = $1');
/** Moves only current strikes, so that strikes moved before keep their time. */
const SET_BACK_STRIKES = statement(
  'test_set_back_strikes',
  `UPDATE strike SET created_at = created_at - $2::interval
   WHERE account_id = $1 AND created_at > clock_timestamp() - interval '1 hour'`,
);

describe('moderation', () => {
  const moderation = new ModerationServiceFixture();
  let database: TestDatabase;
  let service: TestService;
  let bus: Bus;
  let watch: TestService;
  const eventsOf = (accountId: string) =>
    watch.get(StrikeWatch).published.filter(({ account_id }) => account_id === accountId);
  let job: { account_id: string; job_id: string };

  beforeAll(async () => {
    await moderation.prepare();
    const { folder: configDir, broker } = moderation;
    await storeJudgedFiles(new FileObjectStore(configDir));
    await writeFile(path.join(configDir, 'moderation.yaml'), STRICT_POLICY);
    await moderation.start({ profile: 'production', configDir });
    ({ database, service, bus } = moderation);
    watch = await startTestService({ name: 'billing', natsUrl: broker.url, controllers: [StrikeWatch] });
  });

  afterAll(() => closeAll([() => watch.close(), () => moderation.close()]));

  beforeEach(() => {
    job = { account_id: uuidv7(), job_id: uuidv7() };
  });

  const texts = (...values: string[]) =>
    values.map((text, index) => ({ param: ['prompt', 'negative_prompt'][index] ?? '', text }));
  const decisions = () => database.database.query(DECISIONS_OF_JOB, [job.job_id]);
  const strikes = () => database.database.query(STRIKES_OF_JOB, [job.job_id]);
  const screenInput = (prompts: string[], keys: string[] = []) =>
    bus.request(moderationRpc.screenInput, {
      ...job,
      texts: texts(...prompts),
      images: keys.map((object_key, index) => ({ param: `images[${index}]`, object_key })),
    });
  const screenOutput = (...object_keys: string[]) => bus.request(moderationRpc.screenOutput, { ...job, object_keys });

  it('records passed content by its hashes, never its text', async () => {
    const { decision_id } = await screenInput(['a red boat', 'blurry'], ['fine.png']);

    expect(decision_id).toMatch(/^[\da-f-]{36}$/);
    expect(await decisions()).toEqual([
      {
        account_id: job.account_id,
        stage: 'input',
        verdict: 'passed',
        engine: null,
        reason: null,
        content_sha256: Array.from({ length: 3 }, () => expect.stringMatching(/^[\da-f]{64}$/) as string),
      },
    ]);
  });

  it('refuses a blocked prompt or input image by its field, records the reason, and adds no strike', async () => {
    const refusal = (code: string, param: string, message: RegExp) =>
      expect.objectContaining({ code, param, message: expect.stringMatching(message) as string }) as Error;
    await expect(screenInput(['a red boat', `blurry ${TEST_TEXT}`])).rejects.toEqual(
      refusal('content_blocked_prompt', 'negative_prompt', /holds KINORA-MODERATION-TEST-BLOCK, .* for rehearsals/),
    );
    await expect(screenInput(['a red boat'], ['fine.png', 'blocked.png'])).rejects.toEqual(
      refusal('content_blocked_input', 'images[1]', /is the test image, .* for rehearsals/),
    );

    expect(await decisions()).toMatchObject([
      { stage: 'input', verdict: 'blocked', engine: 'rules', reason: 'test_text' },
      { stage: 'input', verdict: 'blocked', engine: 'hash', reason: 'test_picture' },
    ]);
    expect(await strikes()).toEqual([]);
  });

  it('judges images more strictly where the prompt of their job mentions a minor, and names category and decision', async () => {
    await screenInput(['a red boat'], ['doubtful.png']);
    expect(await screenOutput('doubtful.png')).toMatchObject({ verdict: 'passed' });

    job = { account_id: uuidv7(), job_id: uuidv7() };
    await screenInput(['a child reads a book']);
    const blocked = await screenOutput('doubtful.png');
    const [, output] = await decisions();
    expect(output).toMatchObject({ stage: 'output', engine: 'local', reason: 'sexual_young_context' });
    expect(blocked).toMatchObject({ verdict: 'blocked', category: 'sexual content' });

    const refused = await screenInput(['a child reads a book'], ['doubtful.png']).catch((error: Error) => error);
    const [newest] = await service
      .get(ListDecisions)
      .execute({ job_id: job.job_id })
      .then(({ data }) => data);
    expect(refused).toMatchObject({
      code: 'content_blocked_input',
      message: `The image was refused by content moderation (sexual content, decision ${newest?.decision_id}). Send another one: it is refused again. Nothing was charged.`,
    });
    expect(JSON.stringify(newest)).not.toMatch(/child|book/);
  });

  it('passes no image that is missing, and reports one that does not decode, before an objection to a text', async () => {
    await expect(screenInput(['a red boat'], ['missing.png'])).rejects.toMatchObject({ code: 'capacity' });
    await expect(screenOutput('fine.png', 'missing.png')).rejects.toMatchObject({ code: 'capacity' });
    const damaged = { code: 'invalid_body', message: 'images[1]: The image data is incomplete or damaged.' };
    await expect(screenInput([TEST_TEXT], ['fine.png', 'broken.png'])).rejects.toMatchObject(damaged);
    expect(await screenOutput('fine.png', 'broken.png')).toEqual({ verdict: 'unreadable' });
    expect(await decisions()).toEqual([]);
  });

  it('passes outputs, and refuses a job without outputs', async () => {
    expect(await screenOutput('fine.png')).toMatchObject({ verdict: 'passed' });
    await expect(screenOutput()).rejects.toMatchObject({ code: 'internal_error' });

    expect(await decisions()).toMatchObject([{ stage: 'output', verdict: 'passed' }]);
  });

  it('blocks all outputs of a job for one of them, with one strike for repeated requests', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => screenOutput('fine.png', 'blocked.png')));

    expect(answers.map(({ verdict }) => verdict)).toEqual(['blocked', 'blocked', 'blocked']);
    expect(await strikes()).toEqual([{ account_id: job.account_id }]);
  });

  it('counts the strikes of an account, concurrent ones too, and publishes each once', async () => {
    const { account_id } = job;
    const block = (job_id = uuidv7()) =>
      bus.request(moderationRpc.screenOutput, { account_id, job_id, object_keys: ['blocked.png'] });
    await Promise.all([block(job.job_id), block(job.job_id), block(job.job_id)]);
    await Promise.all(Array.from({ length: 12 }, () => block()));
    await waitFor(() => eventsOf(account_id).length >= 13);

    const inOrder = eventsOf(account_id).sort((one, other) => one.counted_at_us - other.counted_at_us);
    expect(inOrder.map(({ strikes }) => strikes)).toEqual(Array.from({ length: 13 }, (_, index) => index + 1));
    expect(eventsOf(account_id)[0]).toMatchObject({ window_days: 30, limit: 5 });
  });

  it('counts no strike from before the window', async () => {
    const { account_id } = job;
    const blockAgain = async (count: number) => {
      await bus.request(moderationRpc.screenOutput, { account_id, job_id: uuidv7(), object_keys: ['blocked.png'] });
      await waitFor(() => eventsOf(account_id).length === count);
      return eventsOf(account_id)[count - 1]?.strikes;
    };
    await blockAgain(1);
    await database.database.execute(SET_BACK_STRIKES, [account_id, '30 days 1 second']);
    expect(await blockAgain(2)).toBe(1);

    await database.database.execute(SET_BACK_STRIKES, [account_id, '29 days 23 hours']);
    expect(await blockAgain(3)).toBe(2);
  });

  it('lifts a strike once, for a reason', async () => {
    const { account_id } = job;
    await screenOutput('blocked.png');
    const { data } = await bus.request(moderationAdminRpc.listStrikes, { account_id });
    const strike_id = data[0]?.strike_id ?? '';
    const lift = (reason: string) => bus.request(moderationAdminRpc.liftStrike, { strike_id, actor: 'Grace', reason });

    for (const reason of [' ', 'a\0b', '\ud800', 'a'.repeat(501)])
      await expect(lift(reason)).rejects.toMatchObject({ code: 'invalid_body', param: 'reason' });
    expect(await lift('a mistake')).toMatchObject({ lifted_by: 'Grace', lift_reason: 'a mistake' });
    expect(await lift('another')).toMatchObject({ lift_reason: 'a mistake' });
    await waitFor(() => eventsOf(account_id).length === 2);
    const counts = eventsOf(account_id).map(({ strikes }) => strikes);
    expect(counts.sort()).toEqual([0, 1]);
  });

  it('shows operators the findings and the policy, and never the content', async () => {
    await expect(screenInput([`quaggalume ${TEST_TEXT}`])).rejects.toMatchObject({ code: 'content_blocked_prompt' });
    const { data } = await bus.request(moderationAdminRpc.listDecisions, { job_id: job.job_id });
    const decision_id = data[0]?.decision_id ?? '';

    const decision = await bus.request(moderationAdminRpc.getDecision, { decision_id });
    expect(decision).toMatchObject({
      verdict: 'blocked',
      policy_version: expect.stringMatching(/^[\da-f]{12}$/) as string,
      engines: {
        rules: expect.any(String) as string,
        hash: expect.any(String) as string,
        local: expect.any(String) as string,
      },
      findings: [{ content: 'text', engine: 'rules', objection: 'test_text', scores: {} }],
    });
    expect(JSON.stringify(decision)).not.toMatch(/quaggalume|KINORA-MODERATION/i);
    const unknown = bus.request(moderationAdminRpc.getDecision, { decision_id: uuidv7() });
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
  });

  it('passes and records nothing while a canary passes, and resumes once all are blocked again', async () => {
    const blinded = jest.spyOn(TextRulesEngine.prototype, 'judge').mockReturnValue({ objection: null, scores: {} });
    await expect(service.get(Canaries).show()).rejects.toThrow('did not block 1 of 3');
    await expect(screenInput(['a red boat'])).rejects.toMatchObject({ code: 'capacity', retryAfterSeconds: 1 });
    await expect(screenOutput('fine.png')).rejects.toMatchObject({ code: 'capacity' });
    expect(await decisions()).toEqual([]);

    blinded.mockRestore();
    await service.get(Canaries).show();
    expect(await screenOutput('fine.png')).toMatchObject({ verdict: 'passed' });
  });

  it('passes a harmless video, by the hash of its file', async () => {
    expect(await screenOutput('fine.mp4')).toMatchObject({ verdict: 'passed' });

    expect(await decisions()).toMatchObject([{ verdict: 'passed', content_sha256: [expect.any(String)] }]);
  });

  it.each(['blocked.mp4', 'half-a-second.mp4', 'single-frame.mp4'])('blocks a video for any of it: %s', async (key) => {
    expect(await screenOutput(key)).toMatchObject({ verdict: 'blocked' });

    expect(await decisions()).toMatchObject([{ verdict: 'blocked', engine: 'hash', reason: 'test_picture' }]);
    expect(await strikes()).toEqual([{ account_id: job.account_id }]);
  });

  it('passes no video that it cannot decode to the end, and logs the reason', async () => {
    expect(await screenOutput('cut.mp4')).toEqual({ verdict: 'unreadable' });

    expect(await decisions()).toEqual([]);
    expect(service.log.of('moderation_video_unreadable')).toMatchObject([
      { reason: 'VideoProblem: The video is cut off or damaged.' },
    ]);
  });

  it('writes nothing of a prompt into the log', async () => {
    await expect(screenInput([`quaggalume ${TEST_TEXT}`])).rejects.toMatchObject({ code: 'content_blocked_prompt' });
    await expect(screenInput(['quaggalume'], ['broken.png'])).rejects.toMatchObject({ code: 'invalid_body' });
    expect(service.log.lines).not.toEqual([]);
    expect(JSON.stringify(service.log.lines)).not.toMatch(/quaggalume|KINORA-MODERATION/i);
  });
});
