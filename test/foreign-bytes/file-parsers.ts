import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CredentialProblem, CredentialReader } from '@kinora/credentials';
import { decodeDataUri, ImageProblem, inspectImage, sanitizeImage } from '@kinora/images';
import { ConfigError, OperatorDocument } from '@kinora/service-kit';
import { VideoProblem } from '@kinora/videos';
import { LoraProblem } from '../../apps/jobs/src/dispatch/loras/lora-problem';
import { SafetensorsCheck } from '../../apps/jobs/src/dispatch/loras/safetensors-check';
import { readHashLists } from '../../apps/moderation/src/image/hash-list';
import { readSections } from '../../apps/moderation/src/judging/moderation-file';
import { parseTemplate } from '../../libs/compute/src/comfyui/parse-template';
import { ModelTemplate } from '../../libs/compute/src/hosted-model/model-template';
import { findTemplateProblem } from '../../libs/compute/src/hosted-model/template-problem';
import { PROGRAM, STRANGER, drawImage, signAs } from '../../libs/credentials/src/credential.fixtures';
import { manifestPartsOf } from '../../libs/credentials/src/manifest-parts';
import { timeStamper, TimeStampProblem } from '../../libs/credentials/src/time-stamp';
import { PLAIN_FILES, UNUSUAL_FILES } from '../../libs/images/src/hidden-data.fixture';
import { movingSquare } from '../../libs/videos/src/mp4.fixtures';
import { readVideo } from '../../libs/videos/src/read-video';
import { type Parser, text } from './parser';

const images = async (): Promise<Buffer[]> => [
  ...(await Promise.all(Object.values(PLAIN_FILES).map((draw) => draw().toBuffer()))),
  ...(await Promise.all(Object.values(UNUSUAL_FILES).map((draw) => draw()))),
];
const signed = async (): Promise<Buffer[]> => [await signAs(STRANGER, await drawImage('png'), 'image/png')];
const reader = new CredentialReader({}, PROGRAM);
const folder = mkdtempSync(path.join(os.tmpdir(), 'kinora-foreign-bytes-'));
const graphFile = (name: string): unknown =>
  JSON.parse(readFileSync(path.join('libs/compute/assets/comfyui', name), 'utf8'));

/** What reads files: of requests, of backends, of authorities, of an operator. */
export const FILE_PARSERS: Record<string, Parser> = {
  'an image of a request': { samples: images, parse: (bytes) => inspectImage(bytes), refusals: [ImageProblem] },
  'an image for a backend': { samples: images, parse: (bytes) => sanitizeImage(bytes), refusals: [ImageProblem] },
  'a data URI': {
    samples: () => text('data:image/png;base64,iVBORw0KGgo=', 'data:image/png;base64,'),
    parse: (bytes) => decodeDataUri(bytes.toString('latin1')),
    refusals: [ImageProblem],
  },
  'a video of a backend': {
    samples: async () => [await movingSquare()],
    parse: (bytes) => readVideo(bytes),
    refusals: [VideoProblem],
  },
  'the containers of manifests': {
    samples: async () => [...(await signed()), ...(await images()), await movingSquare()],
    parse: (bytes) =>
      (['image/png', 'image/jpeg', 'image/webp', 'video/mp4'] as const).map((type) => manifestPartsOf(bytes, type)),
  },
  'content credentials': {
    samples: signed,
    parse: (bytes) => reader.readCredential(bytes, 'image/png'),
    refusals: [CredentialProblem],
    end: () => reader.close(),
  },
  'an answer of a time stamp authority': {
    samples: () => [Buffer.from('3009300302010030020500', 'hex'), Buffer.from('30053003020102', 'hex')],
    parse: (bytes) => timeStamper(() => Promise.resolve(bytes))(Buffer.from('stamped')),
    refusals: [TimeStampProblem],
  },
  'the header of a LoRA': {
    samples: () => [safetensors({ a: { dtype: 'F16', shape: [2, 2], data_offsets: [0, 8] } })],
    parse: (bytes) => {
      const check = new SafetensorsCheck();
      for (let at = 0; at < bytes.length; at += 5) check.see(bytes.subarray(at, at + 5));
      check.end();
    },
    refusals: [LoraProblem],
  },
  'a template of ComfyUI': {
    samples: () =>
      ['cpu-text-to-image-standin', 'qwen-image-edit-2509', 'wan22-14b-image-to-video'].map((name) =>
        Buffer.from(JSON.stringify([graphFile(`${name}.json`), graphFile(`${name}.params.json`)])),
      ),
    parse: (bytes) => {
      const [graph, map] = Object.values((JSON.parse(bytes.toString()) ?? {}) as Record<string, unknown>);
      return parseTemplate('any', graph, map);
    },
    refusals: [Error, SyntaxError],
  },
  'a template of a hosted model': {
    samples: () =>
      ['replicate/flux-dev', 'fal/flux-lora', 'cog/sdxl'].map((name) =>
        readFileSync(`deploy/examples/templates/${name}.yaml`),
      ),
    parse: (bytes) => {
      const document = OperatorDocument.parse('any.yaml', bytes.toString());
      const { content, problems } = document.check(ModelTemplate, document.plain);
      document.assertSound(problems);
      return findTemplateProblem(content);
    },
    refusals: [ConfigError],
  },
  'a hash list': {
    samples: () => text(`# known\nsha256 ${'0a'.repeat(32)}\r\npdq,${'F0'.repeat(32)}\n`),
    parse: (bytes) => {
      writeFileSync(path.join(folder, 'hashes.txt'), bytes);
      const document = OperatorDocument.parse('moderation.yaml', 'hash_lists: [{ id: known, file: hashes.txt }]');
      return readHashLists({ folder, document, sections: readSections(document) });
    },
    refusals: [ConfigError],
    end: () => rmSync(folder, { recursive: true }),
  },
};

function safetensors(header: unknown): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, Buffer.alloc(8)]);
}
