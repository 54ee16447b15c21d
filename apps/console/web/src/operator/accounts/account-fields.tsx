import type { AccountDetails } from '../../api/operator';
import { AskedField, Select, TextField } from '../../components/fields';

type Limit = 'rate_limit_rpm' | 'max_concurrent_jobs' | 'retention_days';
type Limits = Record<Limit, string>;

interface Given {
  name: string;
  value: string;
  onChange: (value: string) => void;
}

const LIMITS: readonly (readonly [Limit, string])[] = [
  ['rate_limit_rpm', 'Requests a minute'],
  ['max_concurrent_jobs', 'Jobs at once'],
  ['retention_days', 'Days that files are kept'],
];

export const limitsOf = (account: Pick<AccountDetails, Limit>) =>
  Object.fromEntries(LIMITS.map(([name]) => [name, String(account[name])])) as Limits;

/** As the server takes them: what is no number is refused there, with its field. */
export const numbersOf = (limits: Limits) =>
  Object.fromEntries(LIMITS.map(([name]) => [name, Number(limits[name])])) as Record<Limit, number>;

export const LimitFields = ({ field }: { field: (name: Limit) => Given }) =>
  LIMITS.map(([name, label]) => <TextField key={name} label={label} inputMode="numeric" {...field(name)} />);

const SCOPES = [
  ['read', 'read only'],
  ['jobs', 'read, and run jobs'],
  ['account', 'everything, also keys and payments'],
] as const;

export const ScopeField = (props: Given & { label?: string }) => <Select label="Scope" options={SCOPES} {...props} />;

export const REPEATED = 'repeated_amount_micros';

/** The server asks for a large amount twice. */
export const RepeatedAmount = (props: Given) => (
  <AskedField label="Repeat the amount (USD)" inputMode="decimal" {...props} />
);
