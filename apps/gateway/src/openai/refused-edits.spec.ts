import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { useGateway } from '../../test/gateway.fixtures';
import { editForm, EDITS, EditsTestBed, type Fields } from '../../test/edits.fixtures';
import { greyPng } from '../../test/image.fixtures';
import type { OpenAiErrorBody } from './openai-error';

const IMAGE = greyPng(80, 64);

const testBed = useGateway({}, new EditsTestBed());

describe('an edit of the OpenAI-compatible API', () => {
  it.each<[string, Fields, string]>([
    ['a mask', { mask: IMAGE }, 'mask'],
    ['no file', { image: [] }, 'image'],
    ['an image as text', { image: 'https://images.example/a.png' }, 'image'],
    ['four files', { image: [IMAGE, IMAGE, IMAGE, IMAGE] }, 'image'],
    ['a file that is no image', { image: Buffer.from('GIF89a') }, 'image'],
    ['an empty file', { image: Buffer.alloc(0) }, 'image'],
    ['a second file that is no image', { image: [IMAGE, Buffer.from('x')] }, 'image[1]'],
    ['a file with a side too short', { image: greyPng(63, 64) }, 'image'],
    ['a file with a side too long', { image: greyPng(4097, 64) }, 'image'],
    ['a file beyond 10 MiB', { image: greyPng(64, 64, 10 * 1024 * 1024) }, 'image'],
    ['no prompt', { prompt: [] }, 'prompt'],
    ['a prompt as a file', { prompt: Buffer.from('p') }, 'prompt'],
    ['a prompt twice', { prompt: ['p', 'p'] }, 'prompt'],
    ['a prompt with U+0000', { prompt: 'p\0' }, 'prompt'],
    ['several images wanted', { n: '2' }, 'n'],
    ['a seed that is no number', { seed: '0x7' }, 'seed'],
    ['a stream that is neither', { stream: 'yes' }, 'stream'],
    ['the field of /v1', { images: IMAGE }, 'images'],
    ['an unknown file', { markup: IMAGE }, 'markup'],
    ['__proto__', { ['__proto__']: 'x' }, '__proto__'],
  ])('with %s is refused, and the field is named', async (_name, fields, param) => {
    const refused = await testBed.post(await editForm(fields));
    expect([refused.status, refused.json<OpenAiErrorBody>().error]).toEqual([
      400,
      { message: expect.stringContaining(param) as string, type: 'invalid_request_error', param, code: 'invalid_body' },
    ]);
    expect([testBed.contexts.of(jobsRpc.create), await testBed.storedInputs()]).toEqual([[], []]);
  });

  it.each([
    ['JSON', 'application/json', '{"prompt":"p","images":[]}'],
    ['a form without a boundary', 'multipart/form-data', ''],
    ['a form of texts', 'application/x-www-form-urlencoded', 'prompt=p'],
  ])('does not take %s, and says what to send', async (_name, type, body) => {
    const refused = await testBed.client.send('POST', EDITS, { headers: { 'Content-Type': type }, body });
    expect([refused.status, refused.json<OpenAiErrorBody>().error]).toMatchObject([
      400,
      {
        code: 'invalid_content_type',
        message: 'The Content-Type must be multipart/form-data with a boundary, and images as files.',
      },
    ]);
  });
});
