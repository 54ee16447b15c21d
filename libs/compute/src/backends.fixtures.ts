/** The public fixtures of this library for specs elsewhere: fakes of the backends, and the services of an adapter. */
export { type GpuWork, LoadingGpu } from './comfyui/fake/loading-gpu.fixtures';
export { FakeComfyui } from './comfyui/fake/fake-comfyui.fixtures';
export { providerServices } from './conformance/trial.fixtures';
export { IMAGE } from './conformance/files.fixtures';
export { FakeFal } from './fal/fake-fal.fixtures';
export type { HostedTask } from './hosted-model/fake-model-host.fixtures';
export { TemplatesFolder } from './hosted-model/received-input.fixtures';
export { FakeOpenAiServer } from './openai-images/fake-openai-server.fixtures';
export { FakeReplicate, WEBHOOK_SECRET } from './replicate/fake-replicate.fixtures';
export { FakeSandbox } from './sandbox/fake-sandbox.fixtures';
