import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { CommandContext } from '../command-context';
import { formatTable } from '../output/report';

/** A program of the moderation context, because no other one has the image model. It needs no stack. */
const PROGRAM = path.join(__dirname, '../../../moderation/src/evaluate.js');
const run = promisify(execFile);

interface Evaluation {
  thresholds: number[];
  labels: { label: string; images: number; unreadable: number; median_ms: number; blocked: number[] }[];
}

/** Adds the command that tries the image model on images that an operator may lawfully hold. */
export function addModerationCommand(program: Command, { print }: CommandContext): void {
  program
    .command('moderation')
    .description('the image model of moderation')
    .command('evaluate')
    .argument('<dir>', 'a folder of folders of images; the name of a folder is the label of its images')
    .description('what each threshold would block and miss, by label; needs no stack, and records nothing')
    .action(async (dir: string) => {
      const evaluation = await evaluate(path.resolve(dir));
      print({ value: evaluation, text: toText(evaluation) });
    });
}

/** @throws ApiError invalid_body for a folder that cannot be evaluated */
async function evaluate(dir: string): Promise<Evaluation> {
  try {
    return JSON.parse((await run(process.execPath, [PROGRAM, dir])).stdout) as Evaluation;
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string };
    throw new ApiError('invalid_body', stderr === '' ? message : stderr, { param: 'dir' });
  }
}

function toText({ thresholds, labels }: Evaluation): string {
  const rows = thresholds.flatMap((threshold, at) =>
    labels.map(({ label, images, unreadable, blocked }) => {
      const found = blocked[at] ?? 0;
      return { threshold, label, blocked: found, missed: images - unreadable - found };
    }),
  );
  const found = formatTable(rows, ['threshold', 'label', 'blocked', 'missed']);
  return `${formatTable(labels, ['label', 'images', 'unreadable', 'median_ms'])}\n\n${found}`;
}
