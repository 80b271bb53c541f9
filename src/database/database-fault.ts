import pg from 'pg'
import { isDatabaseAway, StandbyError } from './is-database-away.ts'

type Place = {
  url: string
  /** The setting that names it. */
  setting: string
}

/** Returns the address of a database for messages, without the password. */
export function addressOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url)
  const host = searchParams.get('host') ?? (hostname || 'localhost')
  return `${host}:${searchParams.get('port') ?? (port || '5432')}`
}

/** Describes a database's fault and its remedy in one line; null for another fault. Without a place it is the embedded one. */
export function describeDatabaseFault(error: unknown, place: Place | null): string | null {
  // Each address of a host's name has its own error.
  const [first = error] = error instanceof AggregateError ? error.errors : []
  if (!(first instanceof Error)) return null
  const code = 'code' in first && typeof first.code === 'string' ? first.code : ''
  const { the, role, name, setting } = namesOf(place)
  const [reported = ''] = first.message.split('\n', 1)
  if (code === '28P01')
    return `${the} does not accept the password of ${role}: set ${setting} to the right one`
  if (/client password must be a string/.test(reported))
    return `${the} wants a password of ${role}: ${setting} has none`
  if (code === '28000') return `${the} does not let ${role} in: ${reported}`
  if (code === '3D000') {
    return `${the} has no database ${name}: make it (create database ${name}), or set ${setting} to another`
  }
  if (code === '42501')
    return `${the} gives ${role} too few rights: ${reported}. deploy/roles.sql has the statements for its roles`
  if (code === '53300')
    return `${the} has no connection left: ${reported}. End others, or raise its max_connections`
  if (code === '53100') return `${the} has no room left on its disk: ${reported}. Make room, then start again`
  if (code === '25006' || first instanceof StandbyError)
    return `${the} takes no writes: ${reported}. Set ${setting} to one that is no standby`
  if (/CERT|SELF_SIGNED|VERIFY/.test(code)) {
    return `${the} has a TLS certificate that is not trusted (${code}): name its authority by sslrootcert in ${setting}`
  }
  if (isDatabaseAway(first)) {
    return `${the} does not answer (${code || reported}): start it, or set ${setting} to where it is`
  }
  if (first instanceof pg.DatabaseError) return `${the} refuses: ${reported} (${code})`
  return first.cause === undefined ? null : describeDatabaseFault(first.cause, place)
}

function namesOf(place: Place | null) {
  if (!place) return { the: "Lantern's own database", role: 'it', name: '', setting: 'DATABASE_URL' }
  const { username, pathname } = new URL(place.url)
  return {
    the: `The database at ${addressOf(place.url)}`,
    role: decodeURIComponent(username) || 'nobody',
    name: decodeURIComponent(pathname.slice(1)),
    setting: place.setting,
  }
}

/** Runs what uses a database, and throws its faults as one line that says what to do. */
export async function orDatabaseFault<T>(place: Place, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const line = describeDatabaseFault(error, place)
    throw line === null ? error : new Error(line)
  }
}
