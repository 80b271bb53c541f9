import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32
const SECRET_MIN_BYTES = 24
const SECRET_MAX_BYTES = 64

/** A secret for one endpoint, by the Standard Webhooks specification 1.0.0. */
export function createWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** The three headers for the exact bytes of a body; several secrets while one replaces another. Null for what is no secret. */
export function signWebhook(
  { id, seconds, body }: { id: string; seconds: number; body: string },
  secrets: readonly string[],
): Record<string, string> | null {
  const keys = secrets.map(readSecret).filter((key) => key !== null)
  if (keys.length === 0 || keys.length < secrets.length) return null
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`,
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  }
}

function readSecret(text: string): Buffer | null {
  if (!text.startsWith(PREFIX)) return null
  const encoded = text.slice(PREFIX.length)
  const key = Buffer.from(encoded, 'base64')
  const isWhole = key.toString('base64') === encoded
  return isWhole && key.byteLength >= SECRET_MIN_BYTES && key.byteLength <= SECRET_MAX_BYTES ? key : null
}
