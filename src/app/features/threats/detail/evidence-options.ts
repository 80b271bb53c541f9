import { queryOptions } from '@tanstack/react-query'
import { getPicture } from '#app/api/get-picture.ts'
import type { PictureAddress } from '#contract/bff/threat.ts'
import { threatsKey } from '../threat-options.ts'

/** A picture by the address that the BFF gave for it. */
export function evidenceOptions(picture: PictureAddress) {
  return queryOptions({
    queryKey: [...threatsKey, 'picture', picture],
    queryFn: ({ signal }) => getPicture(picture, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retryOnMount: false,
  })
}
