import { createHmac, timingSafeEqual } from 'node:crypto'

const EVIDENCE_KINDS = ['leak-site', 'forum-post', 'file-listing'] as const
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number]

export type EvidencePicture = { kind: EvidenceKind; seed: number }

/** A stored address within this service is a path, without a host and a signature, which change; any other stays. */
const OWN_PATH = /^\/evidence\/([a-z]+(?:-[a-z]+)*-\d{1,6})$/

/** The address that an answer gives out for a stored one. Its name cannot be guessed: pictures need no key. */
export function publicEvidenceUrl(
  url: string,
  { publicUrl, secret }: { publicUrl: string; secret: string },
): string {
  const name = OWN_PATH.exec(url)?.[1]
  return name === undefined ? url : new URL(`/evidence/${name}.${sign(name, secret)}.png`, publicUrl).href
}

/** The picture that a requested file name stands for; null unless this service made the name, with one of its secrets. */
export function readEvidenceName(
  file: string,
  ...secrets: readonly (string | undefined)[]
): EvidencePicture | null {
  const [, name, signature] = /^([a-z-]+-\d{1,6})\.([A-Za-z0-9_-]{22})\.png$/.exec(file) ?? []
  if (name === undefined || signature === undefined) return null
  const isOurs = secrets.some(
    (secret) => secret && timingSafeEqual(Buffer.from(signature), Buffer.from(sign(name, secret))),
  )
  if (!isOurs) return null

  const seed = Number(name.slice(name.lastIndexOf('-') + 1))
  const kind = EVIDENCE_KINDS.find((each) => name === `${each}-${seed}`)
  return kind === undefined ? null : { kind, seed }
}

function sign(name: string, secret: string): string {
  return createHmac('sha256', secret).update(`evidence:${name}`).digest('base64url').slice(0, 22)
}
