import type { ReaderSession } from '#bff/http/route.ts'
import { createToken, hashToken } from '#bff/http/token.ts'
import type { Role } from '#contract/bff/session.ts'
import type { Database } from '#database/database.ts'
import { isDatabaseAway } from '#database/is-database-away.ts'
import type { Channel } from '#database/listen.ts'
import {
  deleteEndedSessions,
  deleteSession,
  findSession,
  SESSIONS_ENDED_CHANNEL,
  touchSession,
} from './session-queries.ts'

const CACHED_MS = 5_000
const CACHED_MAX_COUNT = 10_000
const TOUCH_AFTER_MS = 60_000
/** While the database is away, a session that was seen here stays valid for this long. */
const WITHOUT_DATABASE_MS = 10 * 60_000

type CachedSession = { session: ReaderSession; until: number; isTouchDue: boolean }
export type OpenedSession = { token: string; session: ReaderSession }
type SessionStoreOptions = {
  database: Database
  onError: (error: unknown) => void
  /** Monotonic milliseconds. */
  clock?: () => number
  /** Roles that need a second factor. */
  factorRoles?: readonly Role[]
}

/** Sessions live in the database; this process keeps the ones in use for a few seconds, under their tokens. */
export class SessionStore {
  readonly #database: Database
  readonly #onError: (error: unknown) => void
  readonly #clock: () => number
  readonly #factorRoles: readonly Role[]
  readonly #cached = new Map<string, CachedSession>()
  /** The sessions as they were last seen, for while the database is away. */
  readonly #lastSeen = new Map<string, CachedSession>()
  readonly #loading = new Map<string, Promise<CachedSession | null>>()
  #isCacheTrusted = true
  #generation = 0

  constructor({ database, onError, clock = () => performance.now(), factorRoles = [] }: SessionStoreOptions) {
    this.#database = database
    this.#onError = onError
    this.#clock = clock
    this.#factorRoles = factorRoles
  }

  /**
   * Signs in under a fresh token, where `insert` finds that what proved the account still holds; null where it does not. A
   * session that the browser had before ends.
   */
  async open(
    insert: (tokenHash: Buffer) => Promise<boolean>,
    previousToken: string | null,
  ): Promise<OpenedSession | null> {
    await deleteEndedSessions(this.#database)
    const token = createToken()
    if (!(await insert(hashToken(token)))) return null
    if (previousToken) await this.end(previousToken)
    const session = await this.find(token, { isBackground: false })
    return session && { token, session }
  }

  /** Returns the session in memory, without waiting; undefined if only the database knows. */
  peek(token: string, { isBackground }: { isBackground: boolean }): ReaderSession | undefined {
    const cached = this.#cached.get(token)
    return cached && cached.until > this.#clock() ? this.#use(cached, isBackground) : undefined
  }

  /** Null when there is no such session any more. A request that a person made keeps it from idling out. */
  async find(token: string, { isBackground }: { isBackground: boolean }): Promise<ReaderSession | null> {
    const inMemory = this.peek(token, { isBackground })
    if (inMemory) return inMemory
    const loading = this.#loading.get(token) ?? this.#load(token)
    this.#loading.set(token, loading)
    const loaded = await loading
      .finally(() => this.#loading.delete(token))
      .catch((error: unknown) => this.#findLastSeen(token, error))
    return loaded && this.#use(loaded, isBackground)
  }

  /** Reads the session from the database: memory may not know yet that it has ended. */
  async findNow(token: string, { isBackground }: { isBackground: boolean }): Promise<ReaderSession | null> {
    const loaded = await this.#load(token)
    return loaded && this.#use(loaded, isBackground)
  }

  async end(token: string): Promise<void> {
    await deleteSession(this.#database, hashToken(token))
    this.forgetAll()
  }

  /** Asks the database about every session anew: one has ended, or an account has changed. */
  forgetAll(): void {
    this.#lastSeen.clear()
    this.#forgetCached()
  }

  /** While other processes cannot report ended sessions, each request queries the database. */
  trustCache(isTrusted: boolean): void {
    this.#isCacheTrusted = isTrusted
    if (isTrusted) this.forgetAll()
    else this.#forgetCached()
  }

  /** Returns true if somebody is still let in while the database is away. */
  hasLastSeen(): boolean {
    const now = this.#clock()
    return [...this.#lastSeen.values()].some(({ until }) => until > now)
  }

  #forgetCached(): void {
    this.#generation += 1
    this.#cached.clear()
    this.#loading.clear()
  }

  #findLastSeen(token: string, error: unknown): CachedSession {
    const seen = this.#lastSeen.get(token)
    if (!seen || seen.until <= this.#clock() || !isDatabaseAway(error)) throw error
    return seen
  }

  async #load(token: string): Promise<CachedSession | null> {
    const generation = this.#generation
    const stored = await findSession(this.#database, hashToken(token))
    if (!stored) {
      this.#lastSeen.delete(token)
      return null
    }
    const { id, user, expiresAt, endsInMs, idleMs, hasFreshProof } = stored
    // Single sign-on has its own second factor, or none: that is the provider's matter, also of an account that comes in
    // by nothing else and was let in by a link while the provider is away.
    const isProviders = stored.beganBy === 'sso' || !stored.hasPassword
    const mustEnrol = !stored.hasFactor && !isProviders && this.#factorRoles.includes(user.role)
    const loaded = {
      session: { id, user, expiresAt, hasFreshProof, mustEnrol },
      until: this.#clock() + Math.min(CACHED_MS, endsInMs),
      isTouchDue: idleMs >= TOUCH_AFTER_MS,
    }
    // A sign-out may have overtaken this read: then the answer serves once and is not kept. Nor is one that waits for a
    // second factor: no process tells the others of it.
    if (!mustEnrol && generation === this.#generation && this.#isCacheTrusted) {
      if (this.#cached.size >= CACHED_MAX_COUNT) this.#cached.clear()
      this.#cached.set(token, loaded)
      if (this.#lastSeen.size >= CACHED_MAX_COUNT) this.#lastSeen.clear()
      const until = this.#clock() + Math.min(WITHOUT_DATABASE_MS, endsInMs)
      this.#lastSeen.set(token, { ...loaded, until, isTouchDue: false })
    }
    return loaded
  }

  #use(cached: CachedSession, isBackground: boolean): ReaderSession {
    if (cached.isTouchDue && !isBackground) {
      cached.isTouchDue = false
      touchSession(this.#database, cached.session.id).catch(this.#onError)
    }
    return cached.session
  }
}

/**
 * Listens for sessions that other processes end. While the connection is down, this process keeps no session in memory:
 * either a sign-out takes effect everywhere at once, or each request queries the database.
 */
export function endedSessionsChannel(
  sessions: SessionStore,
  onEnded: (accountId: string) => void = () => {},
): Channel {
  return {
    name: SESSIONS_ENDED_CHANNEL,
    onNotice(accountId) {
      sessions.forgetAll()
      onEnded(accountId)
    },
    onHearing: () => sessions.trustCache(true),
    onDeaf: () => sessions.trustCache(false),
  }
}
