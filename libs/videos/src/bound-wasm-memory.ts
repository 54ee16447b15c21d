const PAGE_BYTES = 65_536;

/**
 * Holds every WebAssembly memory of this process to so many bytes. What asks for more is told that there is none, which
 * programs in C survive: they give up with an error.
 */
export function boundWasmMemory(maxBytes: number): void {
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * PAGE_BYTES > maxBytes) throw new RangeError('That is too much memory.');
    return grow.call(this, pages);
  };
}
