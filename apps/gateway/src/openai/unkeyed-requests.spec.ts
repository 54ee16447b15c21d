import { request as httpRequest } from 'node:http';
import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { unkeyedRequestsRpc } from '@kinora/contracts/jobs/unkeyed-requests.rpc';
import { ManualClock, waitFor } from '@kinora/testing';
import { API_KEY, JOB, SENDING, UNKEYED, fail } from '../../test/contexts.fixtures';
import { GatewayTestBed, useGateway } from '../../test/gateway.fixtures';

const GENERATIONS = '/openai/v1/images/generations';
const BODY = { prompt: 'a fox', response_format: 'url' };
const STORED = { ...SENDING, idempotency_key: UNKEYED };

const TRIED_EVERY_MS = 1_000;
const clock = new ManualClock();
const testBed = useGateway({}, new GatewayTestBed(clock));
const { contexts } = testBed;

beforeEach(() => {
  contexts.on(catalogRpc.listAliases, () => ({ data: [] }));
  contexts.on(jobsRpc.create, () => ({ job: JOB, replayed: false }));
  contexts.on(jobsRpc.get, () => JOB);
});

const opened = () => contexts.of(unkeyedRequestsRpc.open);
const closings = () => contexts.of(unkeyedRequestsRpc.close);

/** Sends a request. @returns what closes its connection */
function send(json: object = BODY, more = {}): () => void {
  const body = JSON.stringify(json);
  const headers = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json', ...more };
  const options = { host: '127.0.0.1', port: testBed.gateway.port, method: 'POST', path: GENERATIONS, headers };
  const sent = httpRequest({ ...options, agent: false }).on('error', () => undefined);
  sent.end(body);
  return () => void sent.destroy();
}

describe('a request without an Idempotency-Key', () => {
  it.each([
    ['0', false],
    ['1', true],
    ['2', true],
  ])('with a retry count of %s is marked as a repeat: %s', async (count, is_marked) => {
    const leave = send(BODY, { 'X-Stainless-Retry-Count': count });
    await waitFor(() => contexts.of(jobsRpc.create).length === 1 || null);
    expect(opened()).toMatchObject([{ is_marked }]);
    leave();
    await waitFor(() => closings().length === 1 || null);
  });

  it('whose client leaves while it is stored makes no job: its repeat cannot join what it does not see', async () => {
    let store = (): void => undefined;
    contexts.on(unkeyedRequestsRpc.open, () => new Promise((resolve) => (store = () => resolve(STORED))));
    const leave = send();
    await waitFor(() => opened().length === 1 || null);
    leave();
    await waitFor(async () => (await testBed.gateway.connections()) === 0 || null);
    store();
    await waitFor(() => closings().length === 1 || null);
    expect(closings()).toEqual([{ ...SENDING, outcome: 'abandoned' }]);
    expect(contexts.of(jobsRpc.create)).toEqual([]);
  });

  it('is closed again until jobs has stored it', async () => {
    let tries = 0;
    contexts.on(unkeyedRequestsRpc.close, () => {
      tries += 1;
      return tries === 1 ? fail('capacity', 'away')() : {};
    });
    const leave = send();
    await waitFor(() => contexts.of(jobsRpc.create).length === 1 || null);
    leave();
    await waitFor(() => tries === 1 || null);
    await waitFor(() => {
      clock.advance(TRIED_EVERY_MS);
      return tries === 2;
    });
    const abandoned = { ...SENDING, outcome: 'abandoned' };
    expect(closings()).toEqual([abandoned, abandoned]);
  });

  it('is stored after an equal one whose client has left, and another one is not', async () => {
    let store = (): void => undefined;
    contexts.on(unkeyedRequestsRpc.close, () => new Promise((resolve) => (store = () => resolve({}))));
    const leave = send();
    await waitFor(() => contexts.of(jobsRpc.create).length === 1 || null);
    leave();
    await waitFor(() => closings().length === 1 || null);
    const leaveRepeat = send();
    const leaveOther = send({ ...BODY, prompt: 'another' });
    await waitFor(() => opened().length === 2 || null);
    const [first, second] = opened();
    expect(second?.request_hash).not.toBe(first?.request_hash);
    store();
    await waitFor(() => opened().length === 3 || null);
    expect(opened()[2]?.request_hash).toBe(first?.request_hash);
    leaveRepeat();
    leaveOther();
    contexts.on(unkeyedRequestsRpc.close, () => ({}));
    await waitFor(() => closings().length === 3 || null);
  });
});
