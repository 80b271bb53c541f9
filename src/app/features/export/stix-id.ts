/** Lantern's own namespace, so that the same thing has the same id in every export. */
const NAMESPACE = '8f2c1d5e-6a57-4c0b-9b1e-3f8f0c8d7a41'
/** For cyber-observable objects: STIX 2.1, section 2.9. */
const OBSERVABLE_NAMESPACE = '00abedb4-aa42-466c-9c01-fed23315a9b7'

/** `threat-actor--…`, by the object's type and what tells it from others of its type. */
export async function stixId(type: string, name: string): Promise<string> {
  return `${type}--${await nameBasedUuid(NAMESPACE, `${type}\n${name}`)}`
}

/** The id that STIX prescribes for a domain name. */
export async function domainNameId(value: string): Promise<string> {
  return `domain-name--${await nameBasedUuid(OBSERVABLE_NAMESPACE, JSON.stringify({ value }))}`
}

/** UUID version 5: RFC 9562, section 5.5. */
async function nameBasedUuid(namespace: string, name: string): Promise<string> {
  const prefix = Uint8Array.from(namespace.replaceAll('-', '').match(/../g) ?? [], (hex) =>
    Number.parseInt(hex, 16),
  )
  const text = new TextEncoder().encode(name)
  const bytes = new Uint8Array([...prefix, ...text])
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-1', bytes)).slice(0, 16)
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
