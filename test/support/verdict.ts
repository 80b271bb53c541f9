/** The word before a target, in every measurement alike. */
export function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'MISSED'
}
