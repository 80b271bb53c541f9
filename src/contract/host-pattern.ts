/** Returns true if an entry of an operator's list matches a host: its name, or `*.` and a parent domain. */
export function isHostOf(permitted: string, host: string): boolean {
  return permitted.startsWith('*.') ? host.endsWith(permitted.slice(1)) : host === permitted
}
