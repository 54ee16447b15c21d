import { Injectable } from '@nestjs/common';
import { type FrameSampling, isMp4, sampleFrames } from '@kinora/videos';
import type { LoadedImage, LoadedVideo } from '../judging/engine';
import { StoredImages } from '../image/stored-images';
import { ModerationConfig } from '../moderation.config';
import { sha256Of } from '../judging/sha256';

/** Leaves time for the engines to judge the last frame within the caller's 30 s. */
const SAMPLING_TIMEOUT_MS = 20_000;

interface Outputs {
  images: LoadedImage[];
  videos: LoadedVideo[];
}

/** The outputs of a job in the object store. The bytes decide whether a file is a video, not its name. */
@Injectable()
export class StoredOutputs {
  private readonly sampling: FrameSampling;

  constructor(
    private readonly files: StoredImages,
    { ffmpegPath, builtInDecoder }: ModerationConfig,
  ) {
    this.sampling = { ffmpegPath, builtInDecoder, timeoutMs: SAMPLING_TIMEOUT_MS };
  }

  /** @throws ApiError `capacity` when a file cannot be read */
  async judge<Result>(objectKeys: readonly string[], judge: (outputs: Outputs) => Promise<Result>): Promise<Result> {
    const places = objectKeys.map((object_key) => ({ param: null, object_key }));
    return this.files.judge(places, (files) => judge(this.sort(files)));
  }

  private sort(files: LoadedImage[]): Outputs {
    const videos = files.filter(({ bytes }) => isMp4(bytes));
    return {
      images: files.filter((file) => !videos.includes(file)),
      videos: videos.map(({ sha256, bytes, enclosed = [] }) => ({
        sha256,
        enclosed,
        frames: () => this.framesOf(bytes),
      })),
    };
  }

  /** @throws VideoProblem for a frame that cannot be decoded */
  framesOf(video: Buffer): AsyncGenerator<LoadedImage> {
    return framesToScreen(video, this.sampling);
  }
}

export async function* framesToScreen(video: Buffer, sampling: FrameSampling): AsyncGenerator<LoadedImage> {
  for await (const { width, height, rgb } of sampleFrames(video, sampling)) {
    yield { param: null, bytes: rgb, pixels: { width, height }, sha256: sha256Of(rgb) };
  }
}
