import { request } from './request.ts'

/** Fetches a picture by the address that the BFF gave for it (`/bff/…`). */
export async function getPicture(address: string, options?: { signal?: AbortSignal }): Promise<Blob> {
  const response = await request('GET', address.replace(/^\/bff\//, ''), options)
  return response.blob()
}
