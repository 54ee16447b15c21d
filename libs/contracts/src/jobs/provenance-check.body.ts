import { IsImageSource } from '../shared/field-rules';
import { IMAGE_TEXT_CHARS, type ImageText } from './image-input';

/** The question where an image comes from. A file can also be the body itself. */
export class ProvenanceCheckBody {
  /** A public https URL, or a data URI in base64. */
  @IsImageSource(IMAGE_TEXT_CHARS)
  image!: ImageText;
}
