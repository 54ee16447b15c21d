// The program behind `kinora moderation evaluate DIR`: prints as JSON what the image model finds in labelled images.
import { evaluateImages } from './image/evaluate-images';
import { ImageDecoder } from './image/image-decoder';
import { ImageProcess } from './image/image-process';
import { ModerationConfig } from './moderation.config';

async function main(folder: string): Promise<void> {
  const config = new ModerationConfig();
  const images = new ImageProcess(config);
  try {
    process.stdout.write(JSON.stringify(await evaluateImages(folder, new ImageDecoder(config, images))));
  } finally {
    images.onApplicationShutdown();
  }
}

main(process.argv[2] ?? '').catch((error: unknown) => {
  process.stderr.write(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
