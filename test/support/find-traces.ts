/** A secret, its encodings, and every twelve characters of it, where a text holds them. */
export function findTraces(secret: string, text: string): string[] {
  return tracesOf(secret).filter((trace) => text.includes(trace))
}

function tracesOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const whole = [
    encodeURIComponent(secret),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    [...secret].reverse().join(''),
  ]
  const pieces = Array.from({ length: secret.length - 11 }, (_, at) => secret.slice(at, at + 12))
  return [...whole, ...pieces]
}
