import { getDomain } from 'tldts'
import { readDomain } from '#contract/bff/list-domain.ts'

/**
 * The domain that somebody registered, by the public suffix list: `okapi.co.uk` of `mail.okapi.co.uk`. A host whose suffix
 * is not listed stands for itself. Null where the text names no host.
 */
export function registrableDomain(text: string): string | null {
  const read = readDomain(text)
  if (!('domain' in read)) return null
  return getDomain(read.domain, { allowPrivateDomains: true }) ?? read.domain
}

/** The registrable domains of some texts, each once. */
export function registrableDomains(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => registrableDomain(text) ?? []))]
}
