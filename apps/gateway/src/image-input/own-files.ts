import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { parseUrl } from '@kinora/contracts/shared/texts';
import { INPUT_BOUNDS } from '@kinora/images';
import { ObjectStore, UrlSigner } from '@kinora/object-store';
import { GatewayConfig } from '../gateway.config';
import type { ImageSource } from './image-source';

/**
 * On a local stack, download links use http and a loopback address, which the egress policy blocks. The gateway reads
 * such a link from the object store instead; its signature grants access, as for a download. Elsewhere links are public
 * and are fetched.
 */
@Injectable()
export class OwnFiles {
  constructor(
    private readonly config: GatewayConfig,
    private readonly signer: UrlSigner,
    private readonly objects: ObjectStore,
  ) {}

  /** Replaces each link to a file of this stack by the bytes of the file. @throws ApiError invalid_body */
  async read(sources: ImageSource[]): Promise<ImageSource[]> {
    if (this.config.profile !== 'local') return sources;
    return Promise.all(sources.map((source) => this.readOne(source)));
  }

  private async readOne(source: ImageSource): Promise<ImageSource> {
    const { param, content } = source;
    const url =
      typeof content === 'string' && content.startsWith(`${this.config.publicUrl}/files/`) && parseUrl(content);
    if (!url) return source;
    const link = this.signer.verify(url.pathname, Object.fromEntries(url.searchParams), new Date());
    const file = typeof link === 'string' ? null : await this.objects.stat(link.key);
    if (typeof link === 'string' || file === null)
      throw refusal(param, 'there is no such file, or the link to it has expired');
    if (file.bytes > INPUT_BOUNDS.maxBytes) throw refusal(param, 'too large');
    return { param, content: await this.objects.get(link.key) };
  }
}

function refusal(param: string, problem: string): ApiError {
  return new ApiError('invalid_body', `${param}: ${problem}`, { param });
}
