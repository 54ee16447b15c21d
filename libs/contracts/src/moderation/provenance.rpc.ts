import { rpc } from '../shared/contract';
import { IsImageSource } from '../shared/field-rules';
import type { Count, Timestamp } from '../shared/scalars';
import { IMAGE_TEXT_CHARS, type ImageText } from '../shared/image-text';
