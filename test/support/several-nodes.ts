import { randomUUID } from 'node:crypto'
import { chown, rm } from 'node:fs/promises'
import { NOBODY } from '#database/embedded/postgres-user.ts'
import { type Cluster, startCluster } from '#database/embedded/start-cluster.ts'
import { openDatabase } from '#database/open-database.ts'
import { makeDataDir } from './data-dir.ts'
import { startStandInUpstream } from './stand-in-upstream.ts'
import { v1Detail, v1List, v1Record } from './upstream-records.ts'

/** The one threat of the vendor. */
export const THREAT = 'thr_1'

export type SharedSettings = {
  DATABASE_URL: string
  UPSTREAM_URL: string
  UPSTREAM_API_KEY: string
  SECRET: string
}

/** A PostgreSQL beside every Lantern, and what removes it. */
export async function startSharedCluster(): Promise<{ cluster: Cluster; remove(): Promise<void> }> {
  const folder = await makeDataDir()
  if (process.getuid?.() === 0) await chown(folder, NOBODY.uid, NOBODY.gid)
  const cluster = await startCluster({ folder, password: 'of-the-administrator', log: () => {} })
  return {
    cluster,
    async remove() {
      await cluster.stop()
      await rm(folder, { recursive: true })
    },
  }
}

/** Settings of several nodes: a database, and a vendor with one threat until the test is over. */
export async function makeSharedSettings(cluster: Cluster): Promise<SharedSettings> {
  const name = `shared_${randomUUID().replaceAll('-', '')}`
  const vendor = await startStandInUpstream()
  const published_at = new Date(Date.now() - 60_000).toISOString()
  vendor.play('/api/v1/threats', { json: v1List([v1Record({ id: THREAT, published_at })]) })
  vendor.play(`/api/v1/threats/${THREAT}`, { json: { data: v1Detail({ id: THREAT, published_at }) } })
  const administrator = await openDatabase({ url: cluster.url('postgres'), max: 1 })
  await administrator.query(`create database ${name}`)
  await administrator.close()
  return {
    DATABASE_URL: cluster.url(name),
    UPSTREAM_URL: vendor.url,
    UPSTREAM_API_KEY: 'key-of-the-tests',
    SECRET: `the same of all ${randomUUID()}`,
  }
}
