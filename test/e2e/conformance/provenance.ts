import sharp from 'sharp';
import type { ImageOutput, Job } from '@kinora/contracts/jobs/job';
import type { ProvenanceCheck } from '@kinora/contracts/moderation/provenance.rpc';
import { imagesOf } from '@kinora/testing';
import { image } from './images';
import type { TestBed } from './test-bed';

export function describeProvenance(testBed: TestBed): void {
  describe('the origin of a file', () => {
    const check = async (bytes: Buffer, type: string): Promise<{ status: number; body: ProvenanceCheck }> => {
      const sent = { method: 'POST', headers: { 'Content-Type': type }, body: new Uint8Array(bytes) };
      const response = await fetch(`${testBed.client.baseUrl}/provenance/check`, sent);
      return { status: response.status, body: (await response.json()) as ProvenanceCheck };
    };

    it('is told to anybody, of an output and of a copy without its marks', async () => {
      const request = { prompt: 'a lake between mountains', model: 'fast-image', size: '512x512' };
      const { id } = (await testBed.client.post<Job>('/images/generations', request)).body;
      const [output] = imagesOf(await testBed.client.ended(id)) as [ImageOutput];
      const file = Buffer.from(await (await fetch(output.url ?? '')).arrayBuffer());

      const own = await check(file, 'image/png');
      const copy = await check(await sharp(file).resize(256).jpeg({ quality: 60 }).toBuffer(), 'image/jpeg');

      expect(own).toMatchObject({
        status: 200,
        body: { result: 'credential', credential: { valid: true, ours: true }, match: { exact: true } },
      });
      expect(copy.body).toMatchObject({ result: 'similar', credential: null, match: { model: 'fast-image' } });
      expect(JSON.stringify([own, copy])).not.toMatch(new RegExp(`lake|${testBed.accountId}`));
    });

    it('is unknown of another image, and refused of what is none', async () => {
      expect((await check(await image(256, 256).png().toBuffer(), 'image/png')).body).toMatchObject({
        result: 'unknown',
        match: null,
      });
      expect(await check(Buffer.from('no image'), 'image/png')).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_body', param: 'body' } },
      });
    });
  });
}
