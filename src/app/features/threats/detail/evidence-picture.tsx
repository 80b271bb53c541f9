import { queryOptions } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { getPicture } from '#app/api/get-picture.ts'
import { Icon } from '#app/ui/icon.tsx'
import type { PictureAddress } from '#contract/bff/threat.ts'
import { threatsKey } from '../threat-options.ts'

/** An address for bytes in memory, given back when they are no longer drawn. */
export function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()

  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])

  return url
}

/** A picture by the address that the BFF gave for it. */
export function evidenceOptions(picture: PictureAddress) {
  return queryOptions({
    queryKey: [...threatsKey, 'picture', picture],
    queryFn: ({ signal }) => getPicture(picture, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retryOnMount: false,
  })
}

/** Stands in a picture's place, with why, and what can be done. */
export function PictureUnavailable({
  title = 'Picture unavailable',
  children,
}: {
  title?: string
  children: ReactNode
}) {
  return (
    <div className="grid justify-items-center gap-1 p-4 text-center text-muted text-xs">
      <Icon name="image" className="size-5 text-faint" />
      <span className="font-medium">{title}</span>
      {children}
    </div>
  )
}
