import type * as z from 'zod/mini'
import type { environmentSchema } from '#settings/settings.ts'

type SettingName = keyof z.infer<typeof environmentSchema>

type SettingSection = {
  heading: string
  intro?: string
  /** By name: its meaning, and its default where no value of the schema says it. */
  settings: Partial<Record<SettingName, { meaning: string; fallback?: string }>>
  notes?: string
}

/** The page of settings, in its order. */
export const SETTING_SECTIONS: readonly SettingSection[] = [
  {
    heading: 'Address',
    settings: {
      HOST: { meaning: 'address that the dashboard listens on' },
      PORT: { meaning: 'port that the dashboard listens on' },
      PUBLIC_URL: {
        meaning: 'address that browsers use. https turns on Secure cookies and HSTS',
        fallback: '`http://localhost:PORT`',
      },
      TRUSTED_PROXIES: {
        meaning: 'networks of your proxies, such as `10.0.0.0/8, fd00::/8`',
        fallback: 'none',
      },
    },
    notes:
      'If `HOST` is not loopback, `PUBLIC_URL` must be https, and a proxy must pass its host on. Lantern accepts `X-Forwarded-For` only from `TRUSTED_PROXIES`. Without that setting, all visitors behind a proxy share its address and its limit on failed sign-ins. The log warns once about an unlisted proxy.',
  },
  {
    heading: 'Data and database',
    intro: '[Database](database.md) describes roles and connections, [Backup](backup.md) the passphrase.',
    settings: {
      DATA_DIR: {
        meaning: 'folder of the embedded PostgreSQL and of secrets. A backup saves all of it',
        fallback: '`./.lantern`',
      },
      DATABASE_URL: {
        meaning: 'your own PostgreSQL for the dashboard',
        fallback: 'embedded',
      },
      DATABASE_OWNER_URL: {
        meaning: 'the same database for the role that migrates it',
        fallback: '`DATABASE_URL`',
      },
      SECRET: {
        meaning: 'signs cursors, seals keys, second factors and ID tokens',
        fallback: 'stored in `DATA_DIR`',
      },
      SECRET_BEFORE: { meaning: 'the value that `SECRET` replaces, for one start of each process' },
      BACKUP_PASSPHRASE: { meaning: 'seals backups; 12 characters or more' },
    },
    notes:
      'An address of a database on another machine must say how it is reached: `?sslmode=verify-full`, or `?sslmode=disable` on a trusted network.\n\nTo replace `SECRET`, stop all processes, then start each of them once with both values. Lantern then seals keys and authenticator secrets again and keeps stored threats, drafts and cursors. Sessions and links do not depend on it. `SECRET_BEFORE=lost` gives up what the previous secret sealed. Several processes for one address need the same `SECRET`. A start with a `SECRET` that the database does not know says so.',
  },
  {
    heading: 'Vendor',
    intro: '[Connect a vendor](vendor.md) describes keys, calls and proxies.',
    settings: {
      UPSTREAM_URL: {
        meaning: 'base address of the vendor’s API, without `/api`',
        fallback: 'Lantern’s own service',
      },
      UPSTREAM_API_KEY: { meaning: 'API key of the vendor. Requires `UPSTREAM_URL`' },
      UPSTREAM_EARLIER_API_KEY: { meaning: 'API key of the earlier API, if it has its own' },
      EVIDENCE_HOSTS: {
        meaning: 'hosts of evidence pictures besides the vendor’s API; `*` permits any public host',
      },
      HTTPS_PROXY: { meaning: 'proxy to other hosts. `https_proxy` takes precedence' },
      NO_PROXY: { meaning: 'hosts that Lantern reaches without the proxy. `no_proxy` takes precedence' },
    },
  },
  {
    heading: 'Single sign-on and sign-in',
    intro: '[Single sign-on](single-sign-on.md) has examples for Keycloak and Microsoft Entra ID.',
    settings: {
      ADMIN_EMAIL: { meaning: 'email address of the first account', fallback: 'generated' },
      ADMIN_PASSWORD: {
        meaning: 'its password; not easy to guess',
        fallback: 'generated, printed once',
      },
      PASSWORD_SIGN_IN: { meaning: '`off` permits only single sign-on' },
      SECOND_FACTOR_REQUIRED: {
        meaning: 'roles that must set up a second factor before anything else, such as `admin, analyst`',
      },
      OIDC_ISSUER: { meaning: 'issuer of the identity provider' },
      OIDC_CLIENT_ID: { meaning: 'client id. Set it together with issuer and secret' },
      OIDC_CLIENT_SECRET: { meaning: 'client secret' },
      OIDC_ALLOWED_DOMAINS: {
        meaning: 'mail domains that may sign in, exactly, without subdomains',
        fallback: 'any',
      },
      OIDC_ROLE_CLAIM: { meaning: 'name or path of the claim with roles, such as `groups`' },
      OIDC_TRUST_EMAIL: {
        meaning: '`on` accepts addresses when the provider sends no `email_verified`',
      },
      OIDC_ROLES: { meaning: 'roles for its values. Set it together with `OIDC_ROLE_CLAIM`' },
    },
  },
  {
    heading: 'Messages',
    intro: '[Alerts](../using/alerts.md#setting-it-up) describes the channels.',
    settings: {
      SMTP_URL: { meaning: 'mail server. Requires `MAIL_FROM`', fallback: 'no email' },
      MAIL_FROM: { meaning: 'sender, such as `Lantern <lantern@corp.example>`' },
      NOTIFY_DOMAINS: {
        meaning: 'the only mail domains that receive alerts, exactly, without subdomains',
        fallback: 'any',
      },
      NOTIFY_HOSTS: {
        meaning: 'additional webhook hosts, such as `hooks.corp.example`; they may have private addresses',
      },
    },
    notes: `| \`SMTP_URL\` | connection |
|---|---|
| \`smtps://user:password@mail.example\` | TLS on port 465 |
| \`smtp://user:password@mail.example\` | STARTTLS on port 587, or no delivery |
| \`smtp://relay.example:25?tls=off\` | no TLS and no credentials, for a trusted network |
| \`smtp://127.0.0.1:25\` | the mail server of this machine, without TLS or credentials |

Percent-encode characters such as \`@\` in the password. Hosts in \`NOTIFY_HOSTS\` are accepted as Slack and Teams webhooks too. \`NODE_EXTRA_CA_CERTS\` trusts your own certificate authority. Through a proxy, signed webhooks go only to hosts in \`NOTIFY_HOSTS\`, and email bypasses the proxy.`,
  },
  {
    heading: 'How much is stored',
    intro: '[Audit and retention](audit-and-retention.md) describes what is deleted when.',
    settings: {
      HISTORY_DAYS: {
        meaning:
          'days of threats that Lantern reads and stores; `0` stores all. Follow your vendor’s contract',
      },
      HISTORY_RECORDS: { meaning: 'most threats that Lantern stores; the oldest are deleted first' },
      AUDIT_RETENTION_DAYS: {
        meaning: 'days of the audit record. Pruning requires the database’s owner',
        fallback: 'unlimited',
      },
      TRIAGE_HISTORY_RETENTION_DAYS: {
        meaning: 'days of the triage history. The state of threats and comments stay',
        fallback: 'unlimited',
      },
    },
  },
  {
    heading: 'Logs and metrics',
    intro: '[Monitoring](monitoring.md) describes metrics and logs.',
    settings: {
      METRICS_PORT: { meaning: 'port of `GET /metrics` on `HOST`. Keep it within your network' },
      AUDIT_LOG: { meaning: '`stdout` prints each committed audit record as a line of JSON' },
    },
    notes:
      'Warnings and failures name the id of a request: the `X-Request-Id` of a proxy in `TRUSTED_PROXIES`, or a new one. Audit lines contain names and addresses that erasing a person does not reach.',
  },
  {
    heading: 'Lantern’s own service',
    intro: '[Lantern’s own API service](service.md) describes it.',
    settings: {
      SERVICE_PORT: { meaning: 'port of the service' },
      SERVICE_DATABASE_URL: { meaning: 'your own PostgreSQL for the service', fallback: 'embedded' },
      DEMO: { meaning: '`off` starts an empty service without demo records' },
    },
  },
]
