// The parts of a generated spec for a route that administers an account, and so needs a key of the scope `account`.

export const ADMIT_IMPORT = `import { billingRpc } from '@kinora/contracts/billing/billing.rpc';\n`;

/** The function body that prepares each test. */
export const ACCOUNT_KEY_ADMITTED = `{
    testBed.contexts.reset();
    testBed.contexts.on(billingRpc.admit, () => ({ ...ADMISSION, scope: 'account' as const }));
  }`;

export const scopeTest = (method, route) => `
  it('is closed to a key of the scope jobs', async () => {
    testBed.contexts.on(billingRpc.admit, () => ADMISSION);
    const { status, error } = await testBed.client.send('${method}', '/v1/${route}');
    expect([status, error.code]).toEqual([403, 'scope_required']);
  });
`;
