import { Egress, EgressAllowList } from '@kinora/egress';
import { FairSemaphore } from '@kinora/service-kit';
import { greyPng, toDataUri } from '../fixtures/image.fixtures';
import { readImages } from './read-images';

const SOURCES = [{ param: 'image', content: toDataUri(greyPng(80, 64)) }];

describe('reading images', () => {
  it('waits for decodes of the same account, and not for those of another account', async () => {
    const decodes = new FairSemaphore(2);
    const egress = new Egress({ allow: EgressAllowList.parse('') });
    let end: () => void = () => undefined;
    const decoded: string[] = [];
    const held = decodes.run('busy', () => new Promise<void>((resolve) => (end = resolve)));
    const read = async (accountId: string): Promise<void> => {
      await readImages(SOURCES, accountId, { egress, decodes, charge: () => undefined });
      decoded.push(accountId);
    };
    const waiting = read('busy');
    await read('other');
    expect(decoded).toEqual(['other']);
    end();
    await Promise.all([held, waiting]);
    expect(decoded).toEqual(['other', 'busy']);
  });
});
