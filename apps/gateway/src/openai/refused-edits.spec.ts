import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { useGateway } from '../../test/gateway.fixtures';
import { EDITS, EditsTestBed, type FormEntry, toForm } from '../../test/edits.fixtures';
import { greyPng } from '../../test/image.fixtures';
import type { OpenAiErrorBody } from './openai-error';

const IMAGE = greyPng(80, 64);

const testBed = useGateway({}, new EditsTestBed());

describe('an edit of the OpenAI-compatible API', () => {
  it.each<[string, FormEntry[], string]>([
    [
      'a mask',
      [
        ['prompt', 'p'],
        ['image', IMAGE],
        ['mask', IMAGE],
      ],
      'mask',
    ],
    ['no file', [['prompt', 'p']], 'image'],
    [
      'an image as text',
      [
        ['prompt', 'p'],
        ['image', 'https://images.example/a.png'],
      ],
      'image',
    ],
    ['four files', [['prompt', 'p'], ...Array<['image', Buffer]>(4).fill(['image', IMAGE])], 'image'],
    [
      'a file that is no image',
      [
        ['prompt', 'p'],
        ['image', Buffer.from('GIF89a')],
      ],
      'image',
    ],
    [
      'an empty file',
      [
        ['prompt', 'p'],
        ['image', Buffer.alloc(0)],
      ],
      'image',
    ],
    [
      'a second file that is no image',
      [
        ['prompt', 'p'],
        ['image', IMAGE],
        ['image', Buffer.from('x')],
      ],
      'image[1]',
    ],
    [
      'a file with a side too short',
      [
        ['prompt', 'p'],
        ['image', greyPng(63, 64)],
      ],
      'image',
    ],
    [
      'a file with a side too long',
      [
        ['prompt', 'p'],
        ['image', greyPng(4097, 64)],
      ],
      'image',
    ],
    [
      'a file beyond 10 MiB',
      [
        ['prompt', 'p'],
        ['image', greyPng(64, 64, 10 * 1024 * 1024)],
      ],
      'image',
    ],
    ['no prompt', [['image', IMAGE]], 'prompt'],
    [
      'a prompt as a file',
      [
        ['prompt', Buffer.from('p')],
        ['image', IMAGE],
      ],
      'prompt',
    ],
    [
      'a prompt twice',
      [
        ['prompt', 'p'],
        ['prompt', 'p'],
        ['image', IMAGE],
      ],
      'prompt',
    ],
    [
      'a prompt with U+0000',
      [
        ['prompt', 'p\0'],
        ['image', IMAGE],
      ],
      'prompt',
    ],
    [
      'several images wanted',
      [
        ['prompt', 'p'],
        ['image', IMAGE],
        ['n', '2'],
      ],
      'n',
    ],
    [
      'a seed that is no number',
      [
        ['prompt', 'p'],
        ['image', IMAGE],
        ['seed', '0x7'],
      ],
      'seed',
    ],
    [
      'a stream that is neither',
      [
        ['prompt', 'p'],
        ['image', IMAGE],
        ['stream', 'yes'],
      ],
      'stream',
    ],
    [
      'the field of /v1',
      [
        ['prompt', 'p'],
        ['images', IMAGE],
      ],
      'images',
    ],
    [
      'an unknown file',
      [
        ['prompt', 'p'],
        ['image', IMAGE],
        ['markup', IMAGE],
      ],
      'markup',
    ],
    [
      '__proto__',
      [
        ['prompt', 'p'],
        ['image', IMAGE],
        ['__proto__', 'x'],
      ],
      '__proto__',
    ],
  ])('with %s is refused, and the field is named', async (_name, entries, param) => {
    const refused = await testBed.post(await toForm(...entries));
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
