import { createMiddleware } from 'hono/factory'
import { ServiceError } from '#service/errors/service-error.ts'

/** Refuses paths that Hono would hand to routes undecoded, and NUL, which no text column holds. Routes need not look again. */
export const guardPath = createMiddleware(async (c, next) => {
  const { pathname } = new URL(c.req.url)
  if (!isDecodable(pathname))
    throw new ServiceError(400, 'The path must be percent-encoded UTF-8 without NUL')
  await next()
})

function isDecodable(pathname: string): boolean {
  try {
    return !decodeURIComponent(pathname).includes('\0')
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}
