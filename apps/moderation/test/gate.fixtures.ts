import { type Clock, OperatorDocument, SYSTEM_CLOCK } from '@kinora/service-kit';
import { TYPESCRIPT_ARGUMENTS, type TestLog, createTestLog } from '@kinora/testing';
import { loadEngines } from '../src/engines/load-engines';
import { buildEngines } from '../src/gate/build-engines';
import { Gate } from '../src/gate/gate';
import { ImageDecoder } from '../src/image/image-decoder';
import { IMAGE_PROGRAM, ImageProcess } from '../src/image/image-process';
import type { Engines, ShownImage } from '../src/judging/engine';
import { readSections } from '../src/judging/moderation-file';
import { sha256Of } from '../src/judging/sha256';
import { ModerationConfig } from '../src/moderation.config';

/** A file of the operator by which the second canary of the image model is blocked where a text mentions a minor. */
export const STRICT_POLICY = 'engines: [{ type: local, thresholds: { image: { sexual_young_context: 0.2 } } }]';

let imageProcess: ImageProcess | undefined;
let builtIn: Promise<Engines> | undefined;

/** The engines of an installation without engines of the operator. A file builds them once, because that takes seconds. */
export function builtInEngines(): Promise<Engines> {
  return (builtIn ??= buildEngines({ configDir: '', environment: {} }));
}

interface GateParts {
  environment?: Record<string, string>;
  log?: TestLog;
  /** Of the engines of the file. */
  clock?: Clock;
  /** Without one each image has the score 0, because the model takes most of the time. */
  images?: ImageProcess;
}

/** A trusted gate with the engines of an operator's file beside the built-in ones. */
export async function gateOf(
  policy: string,
  { environment = {}, log = createTestLog(), clock = SYSTEM_CLOCK, images = unscored() }: GateParts = {},
): Promise<Gate> {
  const document = OperatorDocument.parse('policy', policy, environment);
  const added = loadEngines({ document, sections: readSections(document) }, clock);
  const { text, image } = await builtInEngines();
  const engines = {
    text: [...text, ...added.map(({ textEngine }) => textEngine)],
    image: [...image, ...added.map(({ imageEngine }) => imageEngine)],
  };
  const gate = new Gate(engines, testDecoder({}, images), log.logger);
  gate.trust();
  return gate;
}

export function testDecoder(settings: Partial<ModerationConfig> = {}, process = testImageProcess()): ImageDecoder {
  return new ImageDecoder(Object.assign(new ModerationConfig(), settings), process);
}

export function testImageProcess(): ImageProcess {
  return (imageProcess ??= startImageProcess());
}

export function imageProcessScoring(score: (samples: Buffer[]) => Promise<number[]>): ImageProcess {
  return Object.create(testImageProcess(), { score: { value: score } }) as ImageProcess;
}

/** The process of a service, run from its source, with further arguments of Node. It ends with the process of the spec. */
export function startImageProcess(execArgv: readonly string[] = []): ImageProcess {
  const imageProgram = { ...IMAGE_PROGRAM, execArgv: [...TYPESCRIPT_ARGUMENTS, ...execArgv] };
  return new ImageProcess(Object.assign(new ModerationConfig(), { imageProgram }));
}

/** Decodes a file into the form that engines judge; an installation without external engines makes no JPEG. */
export async function shownImage(bytes: Buffer, { withJpeg = true, isScored = false } = {}): Promise<ShownImage> {
  const image = { param: null, bytes, sha256: sha256Of(bytes) };
  const decoder = testDecoder({}, isScored ? testImageProcess() : unscored());
  return { ...(await decoder.decode(image, { withJpeg })), hasYoungContext: false };
}

/** For the specs of other engines, because the model takes most of the time. */
export function unscored(): ImageProcess {
  return imageProcessScoring(async (samples) => samples.map(() => 0));
}
