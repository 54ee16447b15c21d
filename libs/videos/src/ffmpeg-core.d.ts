declare module '@ffmpeg/core' {
  /** ffmpeg compiled to WebAssembly, with a file system in its own memory. */
  export interface FfmpegCore {
    FS: {
      writeFile(path: string, content: Uint8Array): void;
      makedev(major: number, minor: number): number;
      registerDevice(
        device: number,
        operations: {
          write(stream: unknown, memory: Int8Array, offset: number, length: number): number;
        },
      ): void;
      mkdev(path: string, device: number): void;
    };
    /** Runs the command line of ffmpeg to its end. @returns its exit code. */
    exec(...args: string[]): number;
  }

  export default function createFfmpegCore(options: {
    wasmBinary: Uint8Array;
    locateFile: (file: string) => string;
  }): Promise<FfmpegCore>;
}

/** As much of it as is used here; the types of Node leave it to those of browsers. */
declare namespace WebAssembly {
  class Memory {
    constructor(options: { initial: number });
    readonly buffer: ArrayBuffer;
    /** @returns the pages that there were. */
    grow: (this: Memory, pages: number) => number;
  }
}
