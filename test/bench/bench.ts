// Runs one scenario: `npm run bench` for creates and reads, `npm run bench -- hostile 10` and so on for the others.
// Each prints its figures and ends by itself; test/bench/README.md describes them.
import path from 'node:path';

const SCENARIOS = ['requests', 'hostile', 'moderation', 'waiting', 'webhooks'];

const [scenario = 'requests'] = process.argv.splice(2, 1);
if (SCENARIOS.includes(scenario)) {
  const file = scenario === 'requests' ? './requests' : path.join(__dirname, scenario, scenario);
  void import(file);
} else {
  console.error(`There is no scenario ${scenario}: the scenarios are ${SCENARIOS.join(', ')}.`);
  process.exitCode = 2;
}
