const PAGE_BYTES = 65_536;

/**
 * Limits every WebAssembly memory of this process. A request beyond the limit fails like an allocation without free
 * memory, which C programs handle: they exit with an error.
 */
export function boundWasmMemory(maxBytes: number): void {
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * PAGE_BYTES > maxBytes) throw new RangeError('That is too much memory.');
    return grow.call(this, pages);
  };
}
