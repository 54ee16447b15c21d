import type { Route } from '@kinora/contracts/catalog/catalog.rpc';
import { type OpenRoute, chooseFirst, chooseRoute } from './choose-route';

describe('choose route', () => {
  const open = (provider: string, parts: Partial<Route & OpenRoute> = {}): OpenRoute => {
    const { wasTried = false, ...route } = parts;
    return { route: { provider, weight: 1, ...route }, wasTried };
  };
  const chosen = (routes: OpenRoute[], roll = 0): string | undefined => chooseRoute(routes, roll)?.provider;

  it('distributes jobs by the weights', () => {
    const routes = [
      { provider: 'a', weight: 3 },
      { provider: 'b', weight: 1 },
    ];
    expect([0, 0.25, 0.74, 0.76, 0.99].map((roll) => chooseFirst(routes, roll)?.provider)).toEqual([
      'a',
      'a',
      'a',
      'b',
      'b',
    ]);
  });

  it('applies the order before the weights, and treats a missing order as the first', () => {
    expect(chosen([open('b', { order: 1, weight: 1_000 }), open('a')], 0.5)).toBe('a');
    expect(chosen([open('b', { order: 1 }), open('c', { order: 2 })])).toBe('b');
  });

  it('prefers instances that were not tried, and reuses a tried one only as the last choice', () => {
    expect(chosen([open('a', { wasTried: true }), open('b', { order: 9 })])).toBe('b');
    expect(chosen([open('a', { wasTried: true })])).toBe('a');
  });

  it('chooses nothing if no route is open', () => {
    expect(chosen([])).toBeUndefined();
  });
});
