/** The part of the service's logger that the bus needs. */
export interface BusLogger {
  info(fields: object, event: string): void;
  warn(fields: object, event: string): void;
  error(fields: object, event: string): void;
}
