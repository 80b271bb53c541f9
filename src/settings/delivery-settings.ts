import * as z from 'zod/mini'
import { isLoopbackHost } from '#contract/loopback.ts'
import { domains, hostName, listOf, readText } from './setting-values.ts'

const IMPLICIT_TLS_PORT = 465
const SUBMISSION_PORT = 587
const MAILBOX = /^(?:(?<name>[^<>"\p{C}]*)<(?<inBrackets>[^<>]+)>|(?<bare>[^<>\s]+))$/u
const addressSchema = z.email()

const smtpUrl = readText(
  readSmtpUrl,
  'an address such as smtps://user:password@mail.example, or smtp://mail.example:587; credentials never go without TLS, but on this machine',
)
const mailbox = readText(readMailbox, 'an email address, or one with a name: Lantern <lantern@corp.example>')
const namedHosts = listOf(
  (host) => hostName.test(host),
  'host names such as hooks.corp.example, *.corp.example',
)

/** Settings of how alerts leave Lantern, and to whom they may go. */
export const deliveryFields = {
  SMTP_URL: z.optional(smtpUrl),
  MAIL_FROM: z.optional(mailbox),
  NOTIFY_HOSTS: z.optional(namedHosts),
  NOTIFY_DOMAINS: z.optional(domains),
}

type Given = z.infer<z.ZodMiniObject<typeof deliveryFields>>

/** Describes which of these settings contradict each other; null if all is well. */
export function findDeliveryFault({ SMTP_URL, MAIL_FROM }: Given): string | null {
  return Boolean(SMTP_URL) === Boolean(MAIL_FROM) ? null : 'SMTP_URL and MAIL_FROM must be set together'
}

export function toDelivery({ SMTP_URL, MAIL_FROM, NOTIFY_HOSTS = [], NOTIFY_DOMAINS = [] }: Given) {
  return {
    /** Undefined where email is not set up. */
    mail: SMTP_URL && MAIL_FROM ? { server: SMTP_URL, from: MAIL_FROM } : undefined,
    /** Whom webhooks may lead to beside public hosts and those of Slack and Teams; also to private addresses. */
    hosts: NOTIFY_HOSTS,
    /** The only domains that mail goes to; any where there are none. */
    domains: NOTIFY_DOMAINS,
  }
}

/** TLS from the first byte, or by STARTTLS; without it only on this machine, or where `?tls=off` says so. */
function readSmtpUrl(text: string) {
  const url = URL.parse(text)
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || url.hash) return null
  if (!['', '/'].includes(url.pathname) || !['', '?tls=off'].includes(url.search)) return null
  const { hostname, port, protocol, search } = url
  const credentials = readCredentials(url)
  const isHere = isLoopbackHost(hostname)
  const isOff = search !== ''
  if (credentials === null || (isOff && (protocol === 'smtps:' || (credentials !== 'none' && !isHere)))) {
    return null
  }
  const isImplicit = protocol === 'smtps:'
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isImplicit ? IMPLICIT_TLS_PORT : SUBMISSION_PORT) : Number(port),
    tls: isImplicit ? ('implicit' as const) : isOff || isHere ? ('none' as const) : ('required' as const),
    credentials: credentials === 'none' ? null : credentials,
  }
}

function readCredentials({ username, password }: URL): { user: string; password: string } | 'none' | null {
  if (username === '') return password === '' ? 'none' : null
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  } catch {
    return null
  }
}

function readMailbox(text: string): { name: string; address: string } | null {
  const { name = '', inBrackets, bare = '' } = MAILBOX.exec(text.trim())?.groups ?? {}
  const address = inBrackets ?? bare
  return addressSchema.safeParse(address).success ? { name: name.trim(), address } : null
}
