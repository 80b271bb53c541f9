import { createHmac, randomBytes } from 'node:crypto'
import { keepSecret } from '#database/embedded/keep-secret.ts'

export type RoomSecrets = {
  bff: string
  service: string
  /** Each room's before SECRET was replaced; none unless it is being rotated. */
  before?: { bff: string; service: string } | undefined
}

/** One secret is stored. Each room gets its own derived from it, so that neither can sign for the other. */
export async function keepRoomSecrets(
  dataDir: string,
  { secret: given, secretBefore }: { secret: string | undefined; secretBefore: string | undefined },
): Promise<RoomSecrets> {
  const secret = given ?? (await keepSecret(dataDir, 'secret', () => randomBytes(32).toString('base64url')))
  return {
    ...deriveSecrets(secret),
    before: secretBefore === undefined ? undefined : deriveSecrets(secretBefore),
  }
}

function deriveSecrets(secret: string) {
  const derive = (room: string) => createHmac('sha256', secret).update(room).digest('base64url')
  return { bff: derive('bff'), service: derive('service') }
}
