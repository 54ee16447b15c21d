import { statement } from '@kinora/database';
import { UrlSigner } from '@kinora/object-store';
import type { ListVideosRequest } from '@kinora/contracts/jobs/videos.rpc';
import { v7 as uuidv7 } from 'uuid';
import { useDatabase } from '../../test/spec-database.fixtures';
import { insertUsedJob } from '../../test/used-job.fixtures';
import { ListVideos } from './use-cases/list-jobs.query';
import { JobPresenter } from '../job/job.view';
import { JobRepository } from '../job/job.repository';
import { LIST_PAGE_MAX_BYTES } from '../job/cursor';
import { VideoListRepository } from './video-list.repository';

const MAKE_VIDEO = statement('spec_make_video', `UPDATE job SET kind = 'video.generation' WHERE id = $1`);
const DELETE_CONTENT = statement(
  'spec_delete_content',
  'UPDATE job SET content_deleted_at = clock_timestamp() WHERE id = $1',
);

describe('list videos', () => {
  const database = useDatabase();

  const urls = new UrlSigner({ publicUrl: 'http://kinora.test', signingKey: 'k'.repeat(32) });
  const listVideos = new ListVideos(
    new JobRepository(database),
    new VideoListRepository(database),
    new JobPresenter(urls),
  );

  async function insertVideo(accountId: string, at: string, input = {}): Promise<string> {
    const id = await insertUsedJob(database, { accountId, at, input });
    await database.execute(MAKE_VIDEO, [id]);
    return id;
  }

  /** The pages, until one says that it is the last. */
  async function pagesOf(request: ListVideosRequest): Promise<string[][]> {
    const pages: string[][] = [];
    for (let after: string | undefined, isLast = false; !isLast;) {
      const page = await listVideos.execute({ ...request, ...(after === undefined ? {} : { after }) });
      pages.push(page.videos.map(({ id }) => id));
      after = pages.at(-1)?.at(-1);
      isLast = !page.has_more;
    }
    return pages;
  }

  it('shows each video of the account once, in both orders, and no other job', async () => {
    const account_id = uuidv7();
    const ids: string[] = [];
    for (const second of [1, 2, 3]) {
      const at = `2026-03-01T00:00:0${second}.007Z`;
      const twins = [await insertVideo(account_id, at), await insertVideo(account_id, at)];
      ids.push(...twins.sort());
      await insertUsedJob(database, { accountId: account_id, at });
    }
    await insertVideo(uuidv7(), '2026-03-01T00:00:02.007Z');
    const [one, two, three, four, five, six] = ids;
    expect(await pagesOf({ account_id, limit: 4, order: 'desc' })).toEqual([
      [six, five, four, three],
      [two, one],
    ]);
    expect(await pagesOf({ account_id, limit: 3, order: 'asc' })).toEqual([
      [one, two, three],
      [four, five, six],
    ]);
    expect(await listVideos.execute({ account_id: uuidv7(), limit: 5, order: 'desc' })).toEqual({
      videos: [],
      has_more: false,
    });
  });

  it('leaves deleted videos out, and continues after one', async () => {
    const account_id = uuidv7();
    const [first, second, third] = [
      await insertVideo(account_id, '2026-03-01T00:00:01Z'),
      await insertVideo(account_id, '2026-03-01T00:00:02Z'),
      await insertVideo(account_id, '2026-03-01T00:00:03Z'),
    ];
    await database.execute(DELETE_CONTENT, [second]);
    expect(await pagesOf({ account_id, limit: 5, order: 'desc' })).toEqual([[third, first]]);
    expect(await pagesOf({ account_id, limit: 5, order: 'asc' })).toEqual([[first, third]]);
    const after = await listVideos.execute({ account_id, limit: 5, order: 'asc', after: second });
    expect(after.videos.map(({ id }) => id)).toEqual([third]);
  });

  it('begins only after a video of the same account', async () => {
    const account_id = uuidv7();
    const at = '2026-03-01T00:00:01Z';
    const image = await insertUsedJob(database, { accountId: account_id, at });
    for (const after of [image, await insertVideo(uuidv7(), at), uuidv7()])
      await expect(listVideos.execute({ account_id, limit: 5, order: 'asc', after })).rejects.toMatchObject({
        code: 'invalid_query',
        param: 'after',
      });
  });

  it('ends a page that would be too large, and continues after it', async () => {
    const account_id = uuidv7();
    const input = { prompt: 'p'.repeat(94_000) };
    for (const second of [1, 2, 3, 4]) await insertVideo(account_id, `2026-03-01T00:00:0${second}Z`, input);
    const pages = await pagesOf({ account_id, limit: 4, order: 'desc' });
    const perPage = Math.floor(LIST_PAGE_MAX_BYTES / 94_000);
    expect(pages.map(({ length }) => length)).toEqual([perPage, 4 - perPage]);
  });
});
