import { boundWasmMemory } from './bound-wasm-memory';

const PAGE_BYTES = 65_536;

describe('bound wasm memory', () => {
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;

  afterEach(() => {
    prototype.grow = grow;
  });

  it('lets a memory grow to the bound, and no page further', () => {
    boundWasmMemory(3 * PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: 1 });
    expect(memory.grow(2)).toBe(1);
    expect(() => memory.grow(1)).toThrow('too much memory');
    expect(memory.buffer.byteLength).toBe(3 * PAGE_BYTES);
  });
});
