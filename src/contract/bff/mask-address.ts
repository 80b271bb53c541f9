import type { AlertDestinations, AlertDraft } from './alert.ts'

/** Shorter addresses would be given away by their last characters. */
const TAIL_FROM_LENGTH = 16
const TAIL_LENGTH = 4
/** Shorter pieces of an address stand in ordinary text. */
const PIECE_MIN_LENGTH = 12

/** `a…@corp.example`. A text that is no address gives nothing away. */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@')
  const [first = ''] = address
  return at < 1 ? '…' : `${first}…${address.slice(at)}`
}

/** `hooks.slack.com/…ab12`: the rest of a webhook's address is its secret. */
export function maskWebhook(address: string): string {
  if (!URL.canParse(address)) return '…'
  const { hostname, pathname, search } = new URL(address)
  const secret = pathname + search
  return `${hostname}/…${secret.length < TAIL_FROM_LENGTH ? '' : secret.slice(-TAIL_LENGTH)}`
}

/** Masks a destination by the name of its channel. */
export function maskDestination(channel: string, destination: string): string {
  return channel === 'email' ? maskEmail(destination) : maskWebhook(destination)
}

export function maskDestinations({
  email,
  slack,
  teams,
}: Pick<AlertDraft, 'email' | 'slack' | 'teams'>): AlertDestinations {
  return {
    email: numberAlike(email.map(maskEmail)),
    slack: slack && maskWebhook(slack),
    teams: teams && maskWebhook(teams),
  }
}

/** The second of those that read alike ends in `(2)`. */
function numberAlike(texts: readonly string[]): string[] {
  return texts.map((text, at) => {
    const place = texts.slice(0, at + 1).filter((other) => other === text).length
    return place === 1 ? text : `${text} (${place})`
  })
}

/**
 * Third-party words about a draft, without the addresses in it: a vendor may repeat what it refuses, whole, cut or
 * encoded.
 */
export function maskAddresses(words: string, addresses: readonly string[]): string {
  const pieces = addresses
    .flatMap((address) => [address, ...address.split(/[^\w-]+/)])
    .filter((piece) => piece.length >= PIECE_MIN_LENGTH)
    .sort((one, other) => other.length - one.length)
  const masked = pieces.reduce((text, piece) => text.replaceAll(piece, '…'), words)
  return masked.replace(/\S+:\/\/\S*|\S+@\S+/g, '…')
}
