import type { PictureAddress } from '#contract/bff/threat.ts'
import { request } from './request.ts'

/** Fetches a picture by the address that the BFF gave for it (`/bff/…`). */
export async function getPicture(address: PictureAddress, options?: { signal?: AbortSignal }): Promise<Blob> {
  const response = await request('GET', address, options)
  return response.blob()
}
