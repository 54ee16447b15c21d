import { loadConfig, ServiceConfig, Setting } from '@kinora/service-kit';
import { IsEgressAllow } from './allow-list';

class SomeConfig extends ServiceConfig {
  @Setting({ env: 'KINORA_EGRESS_ALLOW', description: 'x' })
  @IsEgressAllow()
  egressAllow = '';
}

const load = (env: NodeJS.ProcessEnv): string => loadConfig(SomeConfig, env).egressAllow;

describe('the setting KINORA_EGRESS_ALLOW', () => {
  it('permits what it lists in the local profile', () => {
    expect(load({ KINORA_PROFILE: 'local', KINORA_EGRESS_ALLOW: '127.0.0.0/8' })).toBe('127.0.0.0/8');
  });

  it('is refused in production, where it may only be empty', () => {
    expect(() => load({ KINORA_PROFILE: 'production', KINORA_EGRESS_ALLOW: '127.0.0.0/8' })).toThrow(
      'KINORA_EGRESS_ALLOW: is for development and refused in production',
    );
    expect(load({ KINORA_PROFILE: 'production' })).toBe('');
  });

  it('names the entry that is wrong', () => {
    expect(() => load({ KINORA_PROFILE: 'local', KINORA_EGRESS_ALLOW: '10.0.0.0/8,nonsense' })).toThrow(
      'nonsense is neither host:port nor a network in CIDR notation',
    );
  });
});
