import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Indicator } from '#app/ui/indicator.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { useIsSeen } from '#app/ui/use-is-seen.ts'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { Evidence, PictureAddress } from '#contract/bff/threat.ts'
import { evidenceOptions } from './evidence-options.ts'
import { PictureUnavailable } from './picture-unavailable.tsx'
import { useObjectUrl } from './use-object-url.ts'

const PictureElsewhere = lazy(() =>
  import('./picture-elsewhere.tsx').then((part) => ({ default: part.PictureElsewhere })),
)

type EvidenceTileProps = {
  evidence: Evidence
  /** `Evidence 1` */
  name: string
  isRevealed: boolean
  onReveal(): void
  onOpen(): void
}

/** One piece of evidence: blurred until a press, which then opens the viewer. */
export function EvidenceTile({ evidence: { type, url, picture, host }, name, ...tile }: EvidenceTileProps) {
  const { ref, isSeen } = useIsSeen<HTMLElement>()
  return (
    <figure ref={ref} className="grid min-w-0 content-start gap-2">
      <div className="relative grid aspect-[16/10] place-items-center overflow-clip rounded-md border border-line bg-canvas">
        {picture && !host ? (
          <Picture picture={picture} name={name} isSeen={isSeen} {...tile} />
        ) : (
          <Suspense>
            <PictureElsewhere host={host} name={name}>
              {picture && <Picture picture={picture} name={name} isSeen={isSeen} {...tile} />}
            </PictureElsewhere>
          </Suspense>
        )}
      </div>
      <figcaption className="min-w-0 text-xs">
        <span className="font-medium">{name}</span>
        {type !== null && (
          <span className="text-muted">
            {' · '}
            <Untrusted text={type} maxLength={60} clip="silent" />
          </span>
        )}
        <div className="text-muted">
          <Indicator value={url} />
        </div>
      </figcaption>
    </figure>
  )
}

type PictureProps = Omit<EvidenceTileProps, 'evidence'> & { picture: PictureAddress; isSeen: boolean }

function Picture({ picture, name, isSeen, isRevealed, onReveal, onOpen }: PictureProps) {
  const { data, error } = useQuery({ ...evidenceOptions(picture), enabled: isSeen || isRevealed })
  const src = useObjectUrl(data)
  if (error) return <PictureUnavailable>{error.message}</PictureUnavailable>
  if (isRevealed && src) {
    return (
      <button
        ref={takeLostFocus}
        type="button"
        aria-label={`Open ${name} in the viewer`}
        className="absolute inset-0 cursor-zoom-in focus-visible:-outline-offset-2"
        onClick={onOpen}
      >
        <img src={src} alt={name} className="size-full object-cover object-top" />
      </button>
    )
  }
  return (
    <>
      {src ? (
        <img
          src={src}
          alt=""
          className="absolute inset-0 size-full scale-110 object-cover object-top opacity-80 blur-xl saturate-50"
        />
      ) : (
        <Skeleton className="absolute inset-0 size-full rounded-none" />
      )}
      <Button icon="eye" className="z-1" isBusy={isRevealed} onClick={onReveal}>
        <span>
          Reveal <VisuallyHidden>{name}</VisuallyHidden>
        </span>
      </Button>
    </>
  )
}

/** The button that was pressed is gone: the focus goes on to what took its place. */
function takeLostFocus(button: HTMLElement | null) {
  if (document.activeElement === document.body) button?.focus({ preventScroll: true })
}
