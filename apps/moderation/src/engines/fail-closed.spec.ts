import sharp from 'sharp';
import { ManualClock, createTestLog, waitFor } from '@kinora/testing';
import { gateOf } from '../../test/gate.fixtures';
import type { LoadedImage } from '../judging/engine';
import type { Gate } from '../gate/gate';
import { sha256Of } from '../judging/sha256';
import { type OpenAiAnswer, azureAnswer, httpAnswering, openAiAnswering } from '../../test/engine-answers.fixtures';
import { type Answer, answering, FakeEngine, NONSENSE } from '../../test/fake-engine.fixtures';

const TIMEOUT_MS = 300;
const WITHOUT_END = ['says nothing', 'drips slowly'];
const KEY = 'zaqxswcde-secret';
const ENTRIES: Record<string, string> = {
  openai: 'type: openai, url: "${URL}/v1", api_key: "${KEY}"',
  azure: 'type: azure, url: "${URL}", api_key: "${KEY}"',
  http: 'type: http, url: "${URL}/judge?v=1", headers: { x-key: "${KEY}" }, thresholds: { image: { risk: 0.8 } }',
};
const FINE: Record<string, Answer> = {
  openai: openAiAnswering(),
  azure: answering(azureAnswer()),
  http: httpAnswering(),
};

function changed(change: (result: OpenAiAnswer['results'][number]) => void): Answer {
  return openAiAnswering(({ results: [result] }) => result && change(result));
}
const BAD: Record<string, Answer> = {
  openai: changed((result) => (result.category_scores['sexual'] = 0.9)),
  azure: answering(azureAnswer({ Sexual: 6 })),
  http: httpAnswering({ scores: { risk: 0.9 } }),
};

/** Answers in the format of the service that are incomplete or contradictory. */
const HALF_ANSWERS: Record<string, Record<string, Answer>> = {
  openai: {
    'no results': openAiAnswering((answer) => (answer.results = [])),
    'more results than requested': openAiAnswering((answer) => answer.results.push(...answer.results)),
    'another model': openAiAnswering((answer) => (answer.model = 'text-moderation-007')),
    'a category without a score': changed((result) => delete result.category_scores['sexual']),
    'a category without a flag': changed((result) => delete result.categories['violence']),
    'null for a score': changed((result) => (result.category_scores['sexual'] = null)),
    'null for a flag': changed((result) => (result.categories['sexual'] = null)),
    'a score beyond the scale': changed((result) => (result.category_scores['sexual'] = 1.01)),
    'a score below the scale': changed((result) => (result.category_scores['sexual'] = -0.1)),
    'a score that is a string': changed((result) => (result.category_scores['sexual'] = 'NaN')),
    'not flagged, with a flagged category': changed((result) => (result.categories['hate'] = true)),
    'flagged, without a flagged category': changed((result) => (result.flagged = true)),
    'a category that was not applied to the input': changed(
      (result) => (result.category_applied_input_types['sexual'] = []),
    ),
  },
  azure: {
    'no categories': answering({ categoriesAnalysis: [] }),
    'a category without a severity': answering(azureAnswer({ Sexual: undefined })),
    'null for a severity': answering(azureAnswer({ Sexual: null })),
    'a severity off the scale': answering(azureAnswer({ Sexual: 1 })),
    'a severity that is a string': answering(azureAnswer({ Sexual: '0' })),
    'a category twice': answering({
      categoriesAnalysis: [...azureAnswer().categoriesAnalysis, { category: 'Sexual', severity: 4 }],
    }),
  },
  http: {
    'no verdict': httpAnswering({ verdict: undefined }),
    'an unknown verdict': httpAnswering({ verdict: 'ok' }),
    'a reason beside a passed verdict': httpAnswering({ reason: 'violence' }),
    'the hash of other content': httpAnswering({ content_sha256: sha256Of('else') }),
    'a missing score': httpAnswering({ scores: {} }),
    'a score beyond the scale': httpAnswering({ scores: { risk: 80 } }),
    'null for a score': httpAnswering({ scores: { risk: null } }),
    'a valid answer that is too long': httpAnswering({ remark: 'x'.repeat(300_000) }),
  },
};

describe.each(Object.keys(ENTRIES))('gate with the engine %s', (type) => {
  const log = createTestLog();
  const clock = new ManualClock();
  let fake: FakeEngine;
  let image: LoadedImage;

  beforeAll(async () => {
    fake = await FakeEngine.start();
    const bytes = await sharp({ create: { width: 2000, height: 60, channels: 3, background: '#3a6' } })
      .png()
      .toBuffer();
    image = { param: 'image', bytes, sha256: sha256Of(bytes) };
  });

  afterAll(() => fake.close());

  /** A new engine with a closed circuit breaker, beside the built-in ones. */
  const gateFor = (url = fake.url): Promise<Gate> =>
    gateOf(`engines: [{ ${ENTRIES[type]}, timeout_ms: ${TIMEOUT_MS} }]`, {
      environment: { URL: url, KEY },
      log,
      clock,
    });

  const text = { param: 'prompt', text: 'a red boat' };
  const screenImage = (gate: Gate) => gate.judge({ texts: [], images: [image] });

  it('sends requests in the format of the service, images in a supported size, and passes harmless content', async () => {
    fake.answer = FINE[type] ?? answering({});
    const verdict = await (await gateFor()).judge({ texts: [text], images: [image] });

    expect(verdict).toMatchObject({ outcome: 'passed', judgement: { engines: { rules: expect.any(String) } } });
    const requested = fake.received.splice(0).map(({ url, headers, body }) => ({ url, key: keyOf(headers), body }));
    expect(requested).toEqual(expect.arrayContaining(EXPECTED_QUESTIONS[type] ?? []));
    expect(requested).toHaveLength(2);
    const [, jpeg = ''] = /"(?:data:image\/jpeg;base64,)?(\/9j\/[^"]+)"/.exec(JSON.stringify(requested)) ?? [];
    expect(await sharp(Buffer.from(jpeg, 'base64')).metadata()).toMatchObject({ width: 1024, height: 50 });
  });

  it.each(Object.entries({ ...NONSENSE, ...HALF_ANSWERS[type] }))('passes nothing on %s', async (what, answer) => {
    fake.answer = answer;
    const gate = await gateFor();
    fake.received.splice(0);
    const refused = expect(screenImage(gate)).rejects.toMatchObject({ code: 'capacity', retryAfterSeconds: 1 });
    if (WITHOUT_END.includes(what)) {
      await waitFor(() => fake.received.length === 1);
      clock.advance(TIMEOUT_MS);
    }
    await refused;
    expect(log.of('moderation_engine_failed').at(-1)).toMatchObject({ engine: type, content: 'image' });
  });

  it('judges a transparent image by the worse of its two views', async () => {
    const bytes = await sharp({ create: { width: 64, height: 64, channels: 4, background: '#c8141400' } })
      .png()
      .toBuffer();
    for (const badView of [1, 2]) {
      fake.received.splice(0);
      const [fine, bad] = [FINE[type] ?? answering({}), BAD[type] ?? answering({})];
      fake.answer = (response, requested) => (fake.received.length === badView ? bad : fine)(response, requested);

      const verdict = await (
        await gateFor()
      ).judge({ texts: [], images: [{ param: 'image', bytes, sha256: sha256Of(bytes) }] });

      expect(verdict).toMatchObject({ outcome: 'blocked', objection: { engine: type } });
      expect(fake.received).toHaveLength(2);
    }
  });

  it('passes nothing when the engine does not listen', async () => {
    const gone = await FakeEngine.start();
    const { url } = gone;
    await gone.close();

    await expect(screenImage(await gateFor(url))).rejects.toMatchObject({ code: 'capacity' });
  });

  it('stops requests to an engine that fails repeatedly, but not to one that refuses single images', async () => {
    const gate = await gateFor();
    fake.received.splice(0);
    fake.answer = answering({}, 400);
    for (let i = 0; i < 6; i++) await expect(screenImage(gate)).rejects.toMatchObject({ code: 'capacity' });
    expect(fake.received.splice(0)).toHaveLength(6);

    fake.answer = answering({}, 500);
    for (let i = 0; i < 8; i++) await expect(screenImage(gate)).rejects.toMatchObject({ code: 'capacity' });
    expect(fake.received.splice(0)).toHaveLength(5);
  });

  it('stops requests to an engine at the first fault with a Retry-After', async () => {
    const gate = await gateFor();
    fake.received.splice(0);
    fake.answer = (response) => void response.writeHead(429, { 'retry-after': '30' }).end('{}');
    for (let i = 0; i < 2; i++) await expect(screenImage(gate)).rejects.toMatchObject({ code: 'capacity' });

    expect(fake.received.splice(0)).toHaveLength(1);
  });

  it('writes no key into the log', () => {
    expect(JSON.stringify(log.lines)).not.toContain(KEY);
  });
});

function keyOf(headers: Record<string, unknown>): unknown {
  return headers['authorization'] ?? headers['ocp-apim-subscription-key'] ?? headers['x-key'];
}

const AZURE_OPTIONS = { categories: ['Hate', 'SelfHarm', 'Sexual', 'Violence'], outputType: 'FourSeverityLevels' };
const JPEG = expect.stringMatching(/^\/9j\//) as string;
const EXPECTED_QUESTIONS: Record<string, unknown[]> = {
  openai: [
    { type: 'text', text: 'a red boat' },
    { type: 'image_url', image_url: { url: expect.stringMatching(/^data:image\/jpeg;base64,\/9j\//) as string } },
  ].map((content) => ({
    url: '/v1/moderations',
    key: `Bearer ${KEY}`,
    body: { model: 'omni-moderation-latest', input: [content] },
  })),
  azure: [
    {
      url: '/contentsafety/text:analyze?api-version=2024-09-01',
      key: KEY,
      body: { text: 'a red boat', ...AZURE_OPTIONS },
    },
    {
      url: '/contentsafety/image:analyze?api-version=2024-09-01',
      key: KEY,
      body: { image: { content: JPEG }, ...AZURE_OPTIONS },
    },
  ],
  http: [
    { type: 'text', param: 'prompt', text: 'a red boat', content_sha256: sha256Of('a red boat') },
    { type: 'image', image: { mime: 'image/jpeg', data: JPEG }, content_sha256: expect.any(String) as string },
  ].map((body) => ({ url: '/judge?v=1', key: KEY, body })),
};
