import { toBlocking } from './blocking-half';

const body = (text: string): string => toBlocking(text, 'x.py').split('\n').slice(1).join('\n');

describe('the blocking half of the Python client', () => {
  it('says what it is made of', () => {
    expect(toBlocking('', '_async_client.py')).toBe(
      '# Generated from _async_client.py by `npm run generate -- python`: do not edit.\n',
    );
  });

  it('is the asynchronous half without its event loop', () => {
    const asynchronous = [
      'from ._async_driver import AsyncDriver',
      'class AsyncImages(AsyncGroup):',
      '    """The asynchronous half."""',
      '    async def create(self) -> AsyncIterator[Job]:',
      '        async for job in self.jobs: await self.http.aclose()',
      '    async def __aenter__(self) -> AsyncKinora: ...',
    ];
    expect(body(asynchronous.join('\n'))).toBe(
      [
        'from ._driver import Driver',
        'class Images(Group):',
        '    """The blocking half."""',
        '    def create(self) -> Iterator[Job]:',
        '        for job in self.jobs: self.http.close()',
        '    def __enter__(self) -> Kinora: ...',
      ].join('\n'),
    );
  });

  it('leaves words that only contain a token', () => {
    const text = 'awaited = asyncio_name = "asynchronously"';
    expect(body(text)).toBe(text);
  });
});
