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
    /** @returns what `receive` returns. */
    instantiateWasm: (imports: WebAssembly.Imports, receive: (program: WebAssembly.Instance) => object) => object;
    locateFile: (file: string) => string;
  }): Promise<FfmpegCore>;
}

/** Only the part that is used here; Node's types leave WebAssembly to those of browsers. */
declare namespace WebAssembly {
  type Imports = Record<string, object>;
  class Module {
    constructor(code: Uint8Array);
  }
  class Instance {
    constructor(program: Module, imports: Imports);
  }
  class Memory {
    constructor(options: { initial: number });
    readonly buffer: ArrayBuffer;
    /** @returns the previous number of pages. */
    grow: (this: Memory, pages: number) => number;
  }
}
