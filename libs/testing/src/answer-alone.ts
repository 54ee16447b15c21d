import { type IncomingCall, currentCaller } from '@kinora/bus';

/** Calls a handler of batches with one request, in the call of the spec. Settles as the request is answered. */
export function answerAlone<Request, Response>(
  handler: { execute: (calls: IncomingCall<NoInfer<Request>, NoInfer<Response>>[]) => Promise<void> },
  request: Request,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const call = {
      request,
      caller: currentCaller(),
      run: <Result>(work: () => Result) => work(),
      answer: resolve,
      fail: reject,
    };
    handler.execute([call]).catch(reject);
  });
}
