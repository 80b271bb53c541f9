import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ENDPOINTS } from '#contract/bff/endpoints.ts'
import { factorProofSchema, freshProofSchema } from '#contract/bff/factor.ts'

type Rule = {
  /** What no source of ours may contain, but for these files. */
  source?: RegExp
  except?: readonly string[]
  /** What no package may be called that runs in production or is imported. */
  packages?: RegExp
  /** What no address of the BFF may be. */
  endpoint?: RegExp
}

/** By the first requirement of a line of the page. Where a rule finds something, the line is no longer true. */
const RULES: Readonly<Record<string, Rule>> = {
  '1.2.6': {
    source: /ldaps?:\/\/|\bxpath\(|\bjndi\b|\bmemcached\b/i,
    packages: /ldap|xpath|latex|memcache|jndi/i,
  },
  '1.3.1': {
    source:
      /\b(?:innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|createContextualFragment|document\.write)\b|\{[^}]*\bformat(?:WithOptions)?\b[^}]*\} from 'node:util'/,
    packages: /handlebars|mustache|nunjucks|^ejs$|^pug$|liquid|sprintf|sanitize-html|dompurify/i,
  },
  '1.4.1': {
    source: /\ballocUnsafe|\bWebAssembly\b|process\.dlopen/,
    packages: /^(?:ffi-napi|koffi|node-gyp)/,
  },
  '1.5.1': {
    source: /\bDOMParser\b|\bxmlparse\(|::xml\b|\bxpath\(/i,
    packages: /xml(?!-?naming)|^sax$|libxml|xmldom/i,
  },
  '3.5.5': {
    source:
      /(?:window|self|globalThis)\.onmessage|(?:^|window\.|self\.|globalThis\.)addEventListener\('message'/m,
  },
  '4.3.1': { source: /\bgraphql\b/i, packages: /graphql|apollo/i, endpoint: /graphql/ },
  '4.4.1': { source: /\bnew WebSocket\b|\.on\('upgrade'/, packages: /^ws$|socket\.io|websocket/i },
  '6.6.1': {
    source: /\b(?:twilio|vonage|PushManager|pushManager)\b/,
    packages: /twilio|vonage|web-push|sms/i,
  },
  '6.8.3': { source: /saml/i, packages: /saml/i },
  '9.2.4': { source: /\b(?:SignJWT|EncryptJWT|UnsecuredJWT|CompactSign|GeneralSign|FlattenedSign)\b/ },
  '10.2.2': { source: /OIDC_ISSUERS|OIDC_[A-Z]+_ISSUER|OIDC_ISSUER_\w/ },
  '10.3.1': {
    source: /\b(?:jwtVerify|compactVerify|introspect|tokenIntrospection)\b/,
    except: ['src/bff/accounts/oidc/logout-token.ts'],
  },
  '10.4.1': {
    packages: /^oidc-provider$|oauth2-server|oauth2orize/,
    endpoint: /\/(?:authorize|token|introspect|revoke|register|userinfo|consent)\b|well-known/,
  },
  '12.1.3': { source: /\brequestCert\b|getPeerCertificate/ },
  '17.1.1': { source: /RTCPeerConnection|getUserMedia/, packages: /webrtc|wrtc|simple-peer/i },
}

const page = await readFile('docs/operating/asvs.md', 'utf8')
const lines = (page.split('## What does not apply')[1] ?? '').matchAll(/^\| (?<no>\d+\.\d+\.\d+) \(/gm)
const excluded = [...lines].map(({ groups }) => groups?.no ?? '')

const sources = new Map<string, string>()
for await (const path of glob(['src/**/*.{ts,tsx,mjs,sql}', 'public/*.js'])) {
  if (!/\.test\.tsx?$|routeTree/.test(path)) sources.set(path, await readFile(path, 'utf8'))
}
const packages = await readPackages()

test('each line of what does not apply has a rule, and each rule a line', () => {
  expect(Object.keys(RULES)).toEqual(excluded)
})

test.each(Object.entries(RULES))(
  '%s still does not apply',
  (_, { source, except = [], packages: names, endpoint }) => {
    const texts = source
      ? [...sources].filter(([path, text]) => source.test(text) && !except.includes(path))
      : []
    expect(texts.map(([path]) => path)).toEqual([])
    expect(names ? packages.filter((name) => names.test(name)) : []).toEqual([])
    expect(endpoint ? Object.keys(ENDPOINTS).filter((name) => endpoint.test(name)) : []).toEqual([])
  },
)

/** What each part of a rule must find. */
const EXAMPLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '1.2.6': { source: `connect('ldaps://directory.example')`, packages: 'ldapts' },
  '1.3.1': { source: 'element.innerHTML = text', packages: 'handlebars' },
  '1.4.1': { source: 'Buffer.allocUnsafe(8)', packages: 'koffi' },
  '1.5.1': { source: 'new DOMParser()', packages: 'fast-xml-parser' },
  '3.5.5': { source: `window.addEventListener('message', read)` },
  '4.3.1': { source: 'const graphql = 1', packages: '@apollo/server', endpoint: 'POST /graphql' },
  '4.4.1': { source: `server.on('upgrade', open)`, packages: 'ws' },
  '6.6.1': { source: 'registration.pushManager', packages: 'web-push' },
  '6.8.3': { source: 'readSamlAnswer()', packages: '@node-saml/node-saml' },
  '9.2.4': { source: 'new SignJWT(claims)' },
  '10.2.2': { source: 'OIDC_OTHER_ISSUER' },
  '10.3.1': { source: 'await jwtVerify(token, keys)' },
  '10.4.1': { packages: 'oidc-provider', endpoint: 'POST /token' },
  '12.1.3': { source: 'createServer({ requestCert: true })' },
  '17.1.1': { source: 'new RTCPeerConnection()', packages: 'wrtc' },
}

test.each(Object.entries(RULES))('each part of the rule of %s can find something', (no, rule) => {
  const { source, packages: names, endpoint } = rule
  for (const [part, pattern] of Object.entries({ source, packages: names, endpoint }))
    if (pattern) expect(EXAMPLES[no]?.[part] ?? '', part).toMatch(pattern)
})

test('the rule of 1.3.1 finds format strings too', () => {
  expect(`import { format } from 'node:util'`).toMatch(RULES['1.3.1']?.source ?? '')
})

test('Lantern authenticates by password, app, passkey or recovery code, and sends no codes', () => {
  const proofs = [factorProofSchema, freshProofSchema].flatMap(({ def }) =>
    def.options.map(({ def }) => def.shape),
  )
  expect(new Set(proofs.flatMap((shape) => Object.keys(shape)))).toEqual(
    new Set(['code', 'recoveryCode', 'passkey', 'password']),
  )
  const accounts = [...sources].filter(([path]) =>
    /^src\/bff\/accounts\/(?:sign-in|factors|oidc|users)/.test(path),
  )
  expect(accounts.length).toBeGreaterThan(40)
  expect(
    accounts.filter(([, text]) => /from '(?:#delivery|nodemailer)/.test(text)).map(([path]) => path),
  ).toEqual([])
})

test('no source is of a language that manages its memory by hand', async () => {
  expect(await Array.fromAsync(glob('src/**/*.{c,cc,cpp,h,rs,wasm,node,gyp}'))).toEqual([])
})

/** Those that run in production, by the lock, and those that the app is built of. */
async function readPackages(): Promise<string[]> {
  const lockSchema = z.object({ packages: z.record(z.string(), z.object({ dev: z.optional(z.boolean()) })) })
  const lock = lockSchema.parse(JSON.parse(await readFile('package-lock.json', 'utf8')))
  const installed = Object.entries(lock.packages).flatMap(([path, { dev }]) =>
    dev || path === '' ? [] : [nameOf(path)],
  )
  const imported = [...sources.values()].flatMap((text) =>
    [...text.matchAll(/(?:from |import\()'((?:@[\w-]+\/)?[a-z][\w.-]*)/g)].map(([, name]) => name ?? ''),
  )
  return [...new Set([...installed, ...imported])]
}

function nameOf(path: string): string {
  return path.split('node_modules/').at(-1) ?? path
}
