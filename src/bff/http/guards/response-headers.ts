const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' blob:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  // The app posts no form: its script sends what people enter.
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
  'report-to': 'csp',
}

function writePolicy(policy: Readonly<Record<string, string>>): string {
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')
}

const DENIED_FEATURES =
  'accelerometer camera display-capture geolocation gyroscope hid magnetometer microphone midi payment serial usb xr-spatial-tracking'

type Headers = Readonly<Record<string, string>>

/** On every answer. */
export function commonHeaders(isHttps: boolean): Headers {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    ...(isHttps && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
  }
}

/** On data and problems, besides the common ones. */
export const DATA_HEADERS: Headers = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/** On pages, besides the common ones. */
export const PAGE_HEADERS: Headers = {
  'content-security-policy': writePolicy(POLICY),
  'cross-origin-opener-policy': 'same-origin',
  'x-dns-prefetch-control': 'off',
  'reporting-endpoints': 'csp="/bff/csp-report"',
  'permissions-policy': DENIED_FEATURES.split(' ')
    .map((feature) => `${feature}=()`)
    .join(', '),
}

/** On pages that the BFF writes; `styleHash` is that of their style sheet. */
export function plainPageHeaders(styleHash: string, directives: Headers = {}): Headers {
  return {
    ...PAGE_HEADERS,
    'content-security-policy': writePolicy({
      ...POLICY,
      'style-src': `'self' '${styleHash}'`,
      ...directives,
    }),
    'cache-control': 'no-store',
  }
}

/** On those whose forms are posted back to it. */
export function formPageHeaders(styleHash: string): Headers {
  return {
    ...plainPageHeaders(styleHash, { 'form-action': "'self'" }),
    // With `no-referrer` a browser posts a form with `Origin: null`, which proves nothing.
    'referrer-policy': 'same-origin',
  }
}
