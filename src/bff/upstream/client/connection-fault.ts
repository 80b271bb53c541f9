import * as z from 'zod/mini'

/** No connection is possible: the vendor's certificate is not accepted, or a proxy does not let it through. */
export const connectionFaultSchema = z.enum([
  ...['self_signed', 'unknown_issuer', 'not_valid_now', 'other_name'],
  ...['proxy_unreachable', 'proxy_untrusted', 'proxy_unauthorized', 'proxy_refused', 'proxy_failed'],
] as const)
export type ConnectionFault = z.infer<typeof connectionFaultSchema>

/** OpenSSL's codes, as Node's documentation lists them under 'X509 certificate error codes', and Node's own. */
const FAULTS: ReadonlyMap<string, ConnectionFault> = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self_signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'self_signed'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'unknown_issuer'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unknown_issuer'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unknown_issuer'],
  ['CERT_HAS_EXPIRED', 'not_valid_now'],
  ['CERT_NOT_YET_VALID', 'not_valid_now'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'other_name'],
  ...connectionFaultSchema.options
    .filter((fault) => fault.startsWith('proxy_'))
    .map((fault) => [fault, fault] as const),
])

/** Null for what is no such fault. */
export function connectionFaultOf(code: string): ConnectionFault | null {
  return FAULTS.get(code) ?? null
}

const TRUST_IT =
  'If it is meant to be so, name a file with the certificate that is to be trusted (PEM) in the environment variable NODE_EXTRA_CA_CERTS, not in .env, and restart Lantern.'

const SENTENCES: Readonly<Record<ConnectionFault, string>> = {
  self_signed: `The vendor’s TLS certificate is self-signed, so nothing is read from it. ${TRUST_IT}`,
  unknown_issuer: `The vendor’s TLS certificate is of an authority that this server does not know, so nothing is read from it. ${TRUST_IT}`,
  not_valid_now:
    'The vendor’s TLS certificate has expired or is not valid yet, so nothing is read from it. The vendor has to renew it, unless this server’s clock is wrong.',
  proxy_unreachable: proxySentence('cannot be reached, or does not answer', 'Check its address.'),
  proxy_untrusted: proxySentence('has a TLS certificate that this server does not trust', TRUST_IT),
  proxy_unauthorized: proxySentence(
    'wants credentials, or other ones (407)',
    'Set HTTPS_PROXY to http://user:password@host:port and restart Lantern.',
  ),
  proxy_refused: proxySentence(
    'does not let Lantern through to the vendor',
    'Whoever runs it has to permit the host of UPSTREAM_URL.',
  ),
  proxy_failed: proxySentence('says that it cannot reach the vendor', 'Whoever runs it can find out why.'),
  other_name:
    'The vendor’s TLS certificate is for another host, so nothing is read from it. UPSTREAM_URL has to name the host that the certificate is for.',
}

/** Describes what is wrong and what to do, for an admin. */
export function describeConnectionFault(fault: ConnectionFault): string {
  return SENTENCES[fault]
}

function proxySentence(what: string, remedy: string): string {
  return `The proxy of HTTPS_PROXY ${what}, so nothing is read from the vendor. ${remedy}`
}
