// Measures what a finished image costs jobs, moderation and the store: `npm run bench:images`. `-- marker
// [MARK_URL READ_URL]` measures how well watermarks survive.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { waitUntil } from '../../../deploy/local/wait-until';
import type { Stack } from '../../../deploy/local/stack-file';
import type { Job } from '../../../libs/contracts/src/jobs/job';
import type { ImageFormat } from '../../../libs/images/src';
import { LocalStack } from '../../support/local-stack';
import { SMALL_MODEL } from '../bench-catalog';
import { createBusyAccounts } from '../busy-accounts';
import { type CpuPerRequest, costOfEach, readCpuMs } from '../cpu-per-request';
import { forkProgram } from '../fork-program';
import { atMost, type Cell, type Goal, goalsTable, textTable } from '../goals';
import { median, repeat } from '../load';
import { drawImages, type DrawnImage } from './drawn-images';
import { measureMarker } from './marker-quality';
import { ReadyBackend } from './ready-backend';

const SIDE = 1_024;
/** The size of the small model; a image of this size costs a sixtieth. */
const SMALL_SIDE = 128;
const CLIENTS = 4;
const JOBS = 60;
const ROUNDS = 5;
const ENDED_WITHIN_MS = 120_000;
const POLL_MS = 250;
const GOAL_MS: Record<ImageFormat, number> = { png: 30, jpeg: 15, webp: 25 };
const GOAL_TIMES_RAW = 3;
const RAW_BYTES = SIDE * SIDE * 3;
const COUNTED = ['jobs', 'moderation'];

async function main([part, mark, read]: string[]): Promise<void> {
  if (part === 'marker') return measureMarker(mark && read ? { mark, read } : null);
  const [large, small] = [await drawImages(SIDE), await drawImages(SMALL_SIDE)];
  const memory = await measureMemory(large, small);
  const processes = await measureProcesses(large, small);
  const goals = large.flatMap((image): Goal[] => {
    const { format } = image;
    const cpuMs = COUNTED.reduce((sum, name) => sum + (processes.get(format)?.[name] ?? 0), 0);
    const most = Math.max(...(memory.get(format) ?? []));
    return [
      atMost(`${format}: jobs, moderation and store`, GOAL_MS[format], cpuMs, 'ms'),
      atMost(`${format}: peak memory`, GOAL_TIMES_RAW, most, '× raw'),
    ];
  });
  console.log(`\n${goalsTable(goals)}`);
}

/** The processor time of each process for a job with a image of 1024², less that for one with a image of 128². */
async function measureProcesses(large: DrawnImage[], small: DrawnImage[]): Promise<Map<ImageFormat, CpuPerRequest>> {
  const images = [...large, ...small];
  const backend = await ReadyBackend.start(({ prompt, width }) => {
    const image = images.find(({ format, side }) => prompt.startsWith(format) && side === width);
    if (!image) throw new Error(`There is no image for ${prompt}.`);
    return image.file;
  });
  const env = { KINORA_CONFIG_DIR: backend.configDir, LOG_LEVEL: 'warn' };
  const stack = await LocalStack.start({ env });
  try {
    const costs = await measureRounds(
      await stack.describe(),
      large.map(({ format }) => format),
    );
    const rows = [...costs].map(([format, byProcess]): Cell[] => [
      format,
      ...COUNTED.map((name) => byProcess[name] ?? NaN),
      Object.entries(byProcess).reduce((sum, [name, ms]) => (name === 'load generator' ? sum : sum + ms), 0),
    ]);
    console.log('Processor time of a job with a image of 1024², less that with one of 128², ms:\n');
    console.log(textTable(['format', ...COUNTED, 'whole stack'], rows));
    return costs;
  } finally {
    await stack.end();
    await backend.close();
  }
}

async function measureRounds(stack: Stack, formats: ImageFormat[]): Promise<Map<ImageFormat, CpuPerRequest>> {
  const [apiKey = ''] = await createBusyAccounts(stack.nats_url, 1);
  const differences = new Map<ImageFormat, CpuPerRequest[]>(formats.map((format) => [format, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const format of formats) {
      const whole = await costOfJobs(stack, apiKey, { model: 'general-image', output_format: format });
      const base = await costOfJobs(stack, apiKey, { model: SMALL_MODEL, output_format: format });
      const difference = Object.entries(whole).map(([name, ms]): [string, number] => [name, ms - (base[name] ?? 0)]);
      // The first round warms the processes up.
      if (round > 0) differences.get(format)?.push(Object.fromEntries(difference));
    }
  }
  const names = [...COUNTED, ...Object.keys(stack.processes)];
  const medianOf = (all: CpuPerRequest[]): CpuPerRequest =>
    Object.fromEntries(names.map((name) => [name, median(all.map((costs) => costs[name] ?? 0))]));
  return new Map([...differences].map(([format, all]) => [format, medianOf(all)]));
}

async function costOfJobs(
  stack: Stack,
  apiKey: string,
  input: { model: string; output_format: ImageFormat },
): Promise<CpuPerRequest> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const read = async (route: string, init: RequestInit = {}): Promise<Job> => {
    const response = await fetch(`${stack.base_url}${route}`, { headers, ...init });
    if (!response.ok) throw new Error(`${route} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Job;
  };
  const before = await readCpuMs(stack);
  const waiting: string[] = [];
  const create = async (index: number): Promise<void> => {
    const body = JSON.stringify({ ...input, prompt: `${input.output_format} number ${index} ${performance.now()}` });
    waiting.push((await read('/images/generations', { method: 'POST', body })).id);
  };
  await repeat({ clients: CLIENTS, times: JOBS, work: create });
  const areEnded = async (): Promise<boolean> => {
    const [id] = waiting;
    if (id === undefined) return true;
    const { status } = await read(`/jobs/${id}`);
    if (status === 'failed') throw new Error(`The job ${id} failed.`);
    if (status === 'succeeded') waiting.shift();
    return status === 'succeeded' && areEnded();
  };
  if (!(await waitUntil(areEnded, { timeoutMs: ENDED_WITHIN_MS, intervalMs: POLL_MS })))
    throw new Error('Jobs did not end.');
  return costOfEach(JOBS, before, await readCpuMs(stack));
}

/** The peak of each process for one image, as a multiple of its raw pixels. */
async function measureMemory(large: DrawnImage[], small: DrawnImage[]): Promise<Map<ImageFormat, number[]>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-bench-memory-'));
  const program = path.join(__dirname, 'image-memory.js');
  const result = new Map<ImageFormat, number[]>();
  try {
    const fileOf = (image: DrawnImage): string => path.join(folder, `${image.side}.${image.format}`);
    for (const image of [...large, ...small]) await writeFile(fileOf(image), image.file);
    for (const image of large) {
      const { format } = image;
      const warm = path.join(folder, `${SMALL_SIDE}.${format}`);
      for (const name of COUNTED) {
        const args = [name, format, warm, fileOf(image), String(SIDE)];
        const { received } = await forkProgram<number>(program, args);
        result.set(format, [...(result.get(format) ?? []), received / RAW_BYTES]);
      }
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  const rows = [...result].map(([format, times]): Cell[] => [format, ...times]);
  console.log(`Peak memory of one image of 1024², × its raw ${(RAW_BYTES / 1e6).toFixed(1)} MB:\n`);
  console.log(`${textTable(['format', ...COUNTED], rows)}\n`);
  return result;
}

void main(process.argv.slice(2));
