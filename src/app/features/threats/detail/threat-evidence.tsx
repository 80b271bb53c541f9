import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Absent } from '#app/ui/absent.tsx'
import { Button } from '#app/ui/button.tsx'
import { Indicator } from '#app/ui/indicator.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { useIsSeen } from '#app/ui/use-is-seen.ts'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { Evidence, PictureAddress } from '#contract/bff/threat.ts'
import { evidenceOptions, PictureUnavailable, useObjectUrl } from './evidence-picture.tsx'
import { type ThreatPartProps, ThreatSection } from './threat-section.tsx'

// Loaded with the first picture that is revealed: few are.
const PictureViewer = lazy(async () => ({ default: (await import('./picture-viewer.tsx')).PictureViewer }))

const PictureElsewhere = lazy(() =>
  import('./picture-viewer.tsx').then((part) => ({ default: part.PictureElsewhere })),
)

/** The pictures that came with a post. A reload hides them again. */
export function ThreatEvidence({ threat: { evidence, redacted }, missing }: ThreatPartProps) {
  const [revealed, setRevealed] = useState<readonly number[]>([])
  const [opened, setOpened] = useState<number | null>(null)

  const pictures = revealed.flatMap((index) => {
    const picture = evidence[index]?.picture
    return picture ? [{ index, name: nameOf(index), picture }] : []
  })

  return (
    <ThreatSection
      title="Evidence"
      note={<span className="text-faint text-xs">may disturb; hidden until you reveal it</span>}
    >
      {evidence.length === 0 ? (
        <p className="px-4 py-3 text-sm">
          <Absent isWithheld={redacted.includes('evidence')} missing={missing} />
        </p>
      ) : (
        <div className="grid gap-4 p-4 sm:grid-cols-2">
          {evidence.map((each, index) => (
            <EvidenceTile
              // biome-ignore lint/suspicious/noArrayIndexKey: evidence has no identity but its place
              key={index}
              evidence={each}
              name={nameOf(index)}
              isRevealed={revealed.includes(index)}
              onReveal={() => setRevealed([...revealed, index].sort((a, b) => a - b))}
              onOpen={() => setOpened(index)}
            />
          ))}
        </div>
      )}
      {revealed.length > 0 && (
        <Suspense fallback={null}>
          <PictureViewer
            pictures={pictures}
            opened={pictures.findIndex(({ index }) => index === opened)}
            onOpen={(index) => setOpened(pictures[index]?.index ?? null)}
          />
        </Suspense>
      )}
    </ThreatSection>
  )
}

function nameOf(index: number): string {
  return `Evidence ${index + 1}`
}

type EvidenceTileProps = {
  evidence: Evidence
  /** `Evidence 1` */
  name: string
  isRevealed: boolean
  onReveal(): void
  onOpen(): void
}

/** One piece of evidence: blurred until a press, which then opens the viewer. */
function EvidenceTile({ evidence: { type, url, picture, host }, name, ...tile }: EvidenceTileProps) {
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
