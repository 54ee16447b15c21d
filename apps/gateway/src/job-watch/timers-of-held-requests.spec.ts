import { AsyncResource } from 'node:async_hooks';
import { type Bus, type CallContext, currentCall, deadlineIn, runInCall } from '@kinora/bus';
import type { Logger } from '@kinora/service-kit';
import { KeyWatch } from '../leases/key-watch';
import { JobWatch } from './job-watch';

let calls: (CallContext | undefined)[];
let ticks: (() => void)[];

const sendRequest = (): Promise<never> => {
  calls.push(currentCall());
  return Promise.reject(new Error('away'));
};
const WATCHES = {
  'the check of keys': () => {
    const keys = new KeyWatch({ request: sendRequest } as unknown as Bus);
    return () => keys.add('hash', 'account', () => undefined);
  },
  'the safety read of jobs': () => {
    const jobs = new JobWatch(
      { request: sendRequest } as unknown as Bus,
      { warn: () => undefined } as unknown as Logger,
    );
    return () => jobs.add('job', () => undefined);
  },
};

beforeEach(() => {
  calls = [];
  ticks = [];
  // As Node does, and jest's fake timers do not: a timer runs in the call that has started it.
  jest.spyOn(global, 'setInterval').mockImplementation((work) => {
    ticks.push(AsyncResource.bind(work));
    return setTimeout(() => undefined);
  });
});
afterEach(() => jest.restoreAllMocks());

it.each(Object.entries(WATCHES))('%s is no part of the request that is held, whose deadline passes', (_name, open) => {
  const watch = open();
  const stop = runInCall({ requestId: 'req_held', deadlineAtMs: deadlineIn(0) }, watch);
  for (const tick of ticks) tick();
  expect(calls).toEqual([undefined]);
  stop();
});
