declare module 'tinyh264/lib/TinyH264.js' {
  /** The decoder h264bsd, compiled to WebAssembly. Pointers are offsets in its memory. */
  export interface TinyH264 {
    HEAPU8: Uint8Array;
    _malloc(bytes: number): number;
    _free(pointer: number): void;
    _h264bsdAlloc(): number;
    _h264bsdInit(storage: number, noOutputReordering: number): number;
    _h264bsdDecode(
      storage: number,
      unit: number,
      unitBytes: number,
      picture: number,
      width: number,
      height: number,
    ): number;
    getValue(pointer: number, type: 'i32'): number;
  }

  export default function TinyH264(): Promise<TinyH264>;
}
