import { Injectable, type PipeTransform } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isJobId(text: string): boolean {
  return UUID.test(text);
}

/**
 * An id that no job can have is answered like the id of none, or of another account's. A UUID may be written in capitals;
 * from here on it is one text, which answers to several requests at once are found by.
 */
@Injectable()
export class JobIdPipe implements PipeTransform<string, string> {
  transform(id: string): string {
    if (!isJobId(id)) throw new ApiError('not_found', 'There is no such job.');
    return id.toLowerCase();
  }
}
