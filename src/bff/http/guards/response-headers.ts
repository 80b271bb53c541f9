const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  'report-to csp',
].join('; ')

const DENIED_FEATURES =
  'accelerometer camera display-capture geolocation gyroscope hid magnetometer microphone midi payment serial usb xr-spatial-tracking'

export type ResponseHeaders = {
  /** On every answer. */
  common: Readonly<Record<string, string>>
  /** On pages, besides the common ones. */
  page: Readonly<Record<string, string>>
  /** On data and problems, besides the common ones. */
  data: Readonly<Record<string, string>>
}

export function createResponseHeaders({ isHttps }: { isHttps: boolean }): ResponseHeaders {
  return {
    common: {
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      ...(isHttps && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
    },
    page: {
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'cross-origin-opener-policy': 'same-origin',
      'x-dns-prefetch-control': 'off',
      'reporting-endpoints': 'csp="/bff/csp-report"',
      'permissions-policy': DENIED_FEATURES.split(' ')
        .map((feature) => `${feature}=()`)
        .join(', '),
    },
    data: {
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
    },
  }
}
