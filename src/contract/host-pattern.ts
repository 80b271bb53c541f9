/** Whether an entry of an operator's list means a host: its name, or `*.` before one above it. */
export function isHostOf(permitted: string, host: string): boolean {
  return permitted.startsWith('*.') ? host.endsWith(permitted.slice(1)) : host === permitted
}
