/** An image file whose only metadata is the given XMP. */
export interface RelabelledFile {
  bytes: Buffer;
  /** The coded pixels, unchanged: parts of the original file or, of a PNG, all of them in the new one. */
  coded: readonly Buffer[];
}
