export type NodePorts = { postgres: number; rest: number }

/** Of Patroni, in seconds: how long a primary counts as there that is not heard of any more, and how often it says so. */
export const TTL_S = 15
const LOOP_WAIT_S = 3
/** Of haproxy: how often it asks who is the primary, and how many answers in a row it believes. */
export const CHECK_S = 1
const CHECKS = 2

type PatroniNode = {
  name: string
  ports: NodePorts
  data: string
  bin: string
  /** The port of etcd. */
  etcd: number
  password: string
}

/** A Patroni of a pair that acknowledges what is on both. JSON is YAML. */
export function patroniConfiguration({ name, ports, data, bin, etcd, password }: PatroniNode): string {
  const user = { username: 'postgres', password }
  const configuration = {
    scope: 'lantern',
    name,
    restapi: { listen: `127.0.0.1:${ports.rest}`, connect_address: `127.0.0.1:${ports.rest}` },
    etcd3: { host: `127.0.0.1:${etcd}` },
    bootstrap: {
      dcs: {
        ttl: TTL_S,
        loop_wait: LOOP_WAIT_S,
        retry_timeout: 5,
        synchronous_mode: true,
        postgresql: { use_slots: true, parameters: { max_connections: 100, wal_keep_size: '256MB' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${ports.postgres}`,
      connect_address: `127.0.0.1:${ports.postgres}`,
      data_dir: data,
      bin_dir: bin,
      pgpass: `${data}.pgpass`,
      authentication: { superuser: user, replication: user },
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
      parameters: { unix_socket_directories: '', shared_buffers: '64MB', log_min_error_statement: 'panic' },
    },
    watchdog: { mode: 'off' },
  }
  return JSON.stringify(configuration, null, 2)
}

/** The way of people to the dashboards, as docs/operating/high-availability.md has it, without TLS: whoever comes next is sent to the next. */
export function balancerConfiguration(port: number, dashboards: readonly number[]): string {
  const servers = dashboards.map((own, at) => `  server dashboard${at + 1} 127.0.0.1:${own} check`)
  return `
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 2s
  option forwardfor
  option redispatch
frontend lantern
  bind 127.0.0.1:${port}
  default_backend dashboards
backend dashboards
  balance roundrobin
  option httpchk GET /readyz
  default-server inter 2s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`
}

/** The way to whichever is the primary: who is not any more loses its connections. */
export function haproxyConfiguration(port: number, nodes: readonly NodePorts[]): string {
  const servers = nodes.map(
    ({ postgres, rest }, at) => `  server node${at} 127.0.0.1:${postgres} maxconn 100 check port ${rest}`,
  )
  return `
global
  maxconn 1000
defaults
  mode tcp
  timeout connect 2s
  retries 0
  timeout client 1h
  timeout server 1h
  timeout check 1s
  option clitcpka
  option srvtcpka
listen postgres
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter ${CHECK_S}s fall ${CHECKS} rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`
}
