/** An image file whose only metadata is the given XMP. */
export interface RelabelledFile {
  bytes: Buffer;
  /** The coded pixels, unchanged, as parts of the original file. */
  coded: readonly Buffer[];
}
