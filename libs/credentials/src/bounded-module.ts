const SECTION = { memory: 5 } as const;
const HEAD_BYTES = 8;
const PAGE_BYTES = 65_536;

/**
 * The same WebAssembly with an upper bound of its memory. A program in Rust grows its memory by an instruction, which no JavaScript
 * sees; only the bound that the module declares stops it. The program then ends as it does without free memory.
 */
export function withMemoryBound(module: Buffer, maxBytes: number): Buffer {
  for (let at = HEAD_BYTES; at < module.length;) {
    const size = readNumber(module, at + 1);
    const end = size.end + size.value;
    if (module[at] === SECTION.memory) {
      return Buffer.concat([module.subarray(0, at), memorySection(module, size.end, maxBytes), module.subarray(end)]);
    }
    at = end;
  }
  throw new Error('The WebAssembly has no memory of its own.');
}

/** One memory: the number of memories, whether there is a bound, the pages at the start, the bound. */
function memorySection(module: Buffer, at: number, maxBytes: number): Buffer {
  const initial = readNumber(module, at + 2).value;
  const content = Buffer.from([1, 1, ...writeNumber(initial), ...writeNumber(Math.floor(maxBytes / PAGE_BYTES))]);
  return Buffer.from([SECTION.memory, ...writeNumber(content.length), ...content]);
}

/** LEB128. */
function readNumber(bytes: Buffer, at: number): { value: number; end: number } {
  let value = 0;
  let end = at;
  for (let shift = 0, byte = 0x80; byte >= 0x80; shift += 7) {
    byte = bytes.readUInt8(end++);
    value += (byte & 0x7f) * 2 ** shift;
  }
  return { value, end };
}

function writeNumber(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...writeNumber(Math.floor(value / 0x80))];
}
