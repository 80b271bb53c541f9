import { getDomain, getPublicSuffix } from 'tldts'
import { readDomain } from '#contract/bff/list-domain.ts'

const LISTED = { allowPrivateDomains: true }

/**
 * The domain that somebody registered, by the public suffix list: `okapi.co.uk` of `mail.okapi.co.uk`. A host whose suffix
 * is not listed stands for itself. Null where the text names no host, or a public suffix alone.
 */
export function registrableDomain(text: string): string | null {
  const read = readDomain(text)
  if (!('domain' in read) || isPublicSuffix(read.domain)) return null
  return getDomain(read.domain, LISTED) ?? read.domain
}

/** The registrable domains of some texts, each once. */
export function registrableDomains(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => registrableDomain(text) ?? []))]
}

/** Returns true for `co.uk` and `github.io`, below which many organisations have their domains. */
export function isPublicSuffix(domain: string): boolean {
  return getPublicSuffix(domain, LISTED) === domain
}
