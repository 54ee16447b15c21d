import type { Route } from '@kinora/contracts/catalog/catalog.rpc';

/** A route whose instance can accept the job now. */
export interface OpenRoute {
  route: Route;
  /** Whether the instance has already refused the job. */
  wasTried: boolean;
}

/**
 * Chooses among the open routes: untried ones first, then by the operator's order, and among equals by their weights. `roll` is in [0, 1).
 */
export function chooseRoute(open: OpenRoute[], roll: number): Route | null {
  const best = open.reduce<OpenRoute[]>((equals, candidate) => {
    const [first] = equals;
    const difference = first ? compare(candidate, first) : -1;
    return difference < 0 ? [candidate] : difference === 0 ? [...equals, candidate] : equals;
  }, []);
  return weighted(
    best.map(({ route }) => route),
    roll,
  );
}

/** The route that a job would get if all instances were free. */
export function chooseFirst(routes: Route[], roll: number): Route | null {
  return chooseRoute(
    routes.map((route) => ({ route, wasTried: false })),
    roll,
  );
}

function compare(one: OpenRoute, other: OpenRoute): number {
  return Number(one.wasTried) - Number(other.wasTried) || (one.route.order ?? 0) - (other.route.order ?? 0);
}

function weighted(routes: Route[], roll: number): Route | null {
  const total = routes.reduce((sum, { weight }) => sum + weight, 0);
  let rest = roll * total;
  for (const route of routes) {
    rest -= route.weight;
    if (rest < 0) return route;
  }
  return null;
}
